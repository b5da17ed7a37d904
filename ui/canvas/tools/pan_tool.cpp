// SPDX-License-Identifier: Apache-2.0
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"

#include <QCursor>
#include <cmath>

namespace weft::ui {

namespace {

class PanTool : public CanvasTool {
public:
    PanTool(CanvasView& view, QPointF at)
        : CanvasTool(view), last_(at), origin_(view.viewport().origin) {
        view_.setCursor(Qt::ClosedHandCursor);
    }
    ~PanTool() override { view_.unsetCursor(); }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        view_.camera().pan(at - last_);
        last_ = at;
    }
    void release(QPointF, Qt::KeyboardModifiers) override {}
    void cancel() override { view_.camera().lookAt(origin_, view_.viewport().zoom); }
    [[nodiscard]] bool pansAtBorder() const override { return false; }

private:
    QPointF last_;
    QPointF origin_;
};

class ZoomTool : public CanvasTool {
public:
    ZoomTool(CanvasView& view, QPointF at)
        : CanvasTool(view), from_(at), before_(view.viewport()) {}

    void move(QPointF at, Qt::KeyboardModifiers) override {
        constexpr double perPixel = 0.01;
        view_.camera().zoomTo(before_.zoom * std::exp((from_.y() - at.y()) * perPixel), from_);
    }
    void release(QPointF, Qt::KeyboardModifiers) override {}
    void cancel() override { view_.camera().lookAt(before_.origin, before_.zoom); }
    [[nodiscard]] bool pansAtBorder() const override { return false; }

private:
    QPointF from_;
    Viewport before_;
};

} // namespace

std::unique_ptr<CanvasTool> makePanTool(CanvasView& view, QPointF at) {
    return std::make_unique<PanTool>(view, at);
}

std::unique_ptr<CanvasTool> makeZoomTool(CanvasView& view, QPointF at) {
    return std::make_unique<ZoomTool>(view, at);
}

} // namespace weft::ui
