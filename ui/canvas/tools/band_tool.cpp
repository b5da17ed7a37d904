// SPDX-License-Identifier: Apache-2.0
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"

namespace weft::ui {

namespace {

class BandTool : public CanvasTool {
public:
    BandTool(CanvasView& view, QPointF at)
        : CanvasTool(view),
          from_(view.viewport().toScene(at)),
          before_(view.selection().layers()) {}

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override {
        constexpr Qt::KeyboardModifiers lassoKeys = Qt::ControlModifier | Qt::AltModifier;
        if ((modifiers & lassoKeys) == lassoKeys || !view_.state().lasso.isEmpty()) {
            drawLasso(view_.viewport().toScene(at));
            return;
        }
        const QRectF band = QRectF(from_, view_.viewport().toScene(at)).normalized();
        view_.state().band = band;
        std::set<LayerId> inside;
        for (const int number : view_.list().nodesIn(band)) {
            const NodeView& node = view_.list().nodes[static_cast<std::size_t>(number)];
            if (node.box.intersects(band)) {
                inside.insert(node.id);
            }
        }
        std::set<LayerId> chosen = inside;
        if ((modifiers & Qt::ShiftModifier) != 0) {
            chosen.insert(before_.begin(), before_.end());
        } else if ((modifiers & Qt::ControlModifier) != 0) {
            chosen = before_;
            for (const LayerId layer : inside) {
                chosen.erase(layer);
            }
        }
        view_.selection().select({chosen.begin(), chosen.end()});
        view_.redraw();
    }

    void release(QPointF, Qt::KeyboardModifiers modifiers) override {
        const bool wasDrawn = view_.state().band.has_value() || !view_.state().lasso.isEmpty();
        view_.state().band.reset();
        view_.state().lasso.clear();
        if (!wasDrawn && (modifiers & (Qt::ShiftModifier | Qt::ControlModifier)) == 0) {
            view_.selection().clear();
        }
        view_.redraw();
    }

    void cancel() override {
        view_.state().lasso.clear();
        view_.state().band.reset();
        view_.selection().select({before_.begin(), before_.end()});
        view_.redraw();
    }

private:
    /// Selects what lies inside a freehand line.
    void drawLasso(QPointF to) {
        QPolygonF& lasso = view_.state().lasso;
        if (lasso.isEmpty()) {
            lasso << from_;
        }
        lasso << to;
        std::set<LayerId> inside = before_;
        for (const int number : view_.list().nodesIn(lasso.boundingRect())) {
            const NodeView& node = view_.list().nodes[static_cast<std::size_t>(number)];
            if (lasso.containsPoint(node.box.center(), Qt::OddEvenFill)) {
                inside.insert(node.id);
            }
        }
        view_.selection().select({inside.begin(), inside.end()});
        view_.redraw();
    }

    QPointF from_;
    std::set<LayerId> before_;
};

} // namespace

std::unique_ptr<CanvasTool> makeBandTool(CanvasView& view, QPointF at) {
    return std::make_unique<BandTool>(view, at);
}

} // namespace weft::ui
