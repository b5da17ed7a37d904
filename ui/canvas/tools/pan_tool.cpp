// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_view.h"
#include "canvas/tools/canvas_tool.h"

#include <QCursor>

namespace weft::ui {

namespace {

class PanTool : public CanvasTool {
public:
    PanTool(CanvasView& view, QPointF at) : CanvasTool(view), last_(at) {
        view_.setCursor(Qt::ClosedHandCursor);
    }
    ~PanTool() override { view_.unsetCursor(); }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        view_.pan(at - last_);
        last_ = at;
    }
    void release(QPointF, Qt::KeyboardModifiers) override {}

private:
    QPointF last_;
};

} // namespace

std::unique_ptr<CanvasTool> makePanTool(CanvasView& view, QPointF at) {
    return std::make_unique<PanTool>(view, at);
}

} // namespace weft::ui
