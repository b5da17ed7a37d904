// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/take_off.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"

namespace weft::ui {

namespace {

class CutTool : public CanvasTool {
public:
    CutTool(CanvasView& view, QPointF at) : CanvasTool(view) {
        view_.state().cut = {view_.viewport().toScene(at)};
        view_.setCursor(Qt::CrossCursor);
    }
    ~CutTool() override {
        view_.state().cut.clear();
        view_.unsetCursor();
        view_.redraw();
    }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        view_.state().cut << view_.viewport().toScene(at);
        view_.redraw();
    }

    void release(QPointF at, Qt::KeyboardModifiers modifiers) override {
        move(at, modifiers);
        const std::vector<Wire> crossed = wires();
        const NetworkPath path = view_.selection().path();
        if (!crossed.empty()) {
            view_.document().edit(CanvasView::tr("Cut wires"), [&](Design& design) {
                return removeWires(design, path, crossed);
            });
        }
    }

private:
    [[nodiscard]] std::vector<Wire> wires() const {
        const QPolygonF& cut = view_.state().cut;
        std::vector<Wire> crossed;
        for (const int number : view_.list().wiresIn(cut.boundingRect().adjusted(-1, -1, 1, 1))) {
            const WireView& wire = view_.list().wires[static_cast<std::size_t>(number)];
            bool isCrossed = false;
            for (std::size_t i = 0; i + 1 < wire.line.size() && !isCrossed; ++i) {
                const QLineF piece(wire.line[i], wire.line[i + 1]);
                for (qsizetype k = 0; k + 1 < cut.size() && !isCrossed; ++k) {
                    isCrossed = piece.intersects(QLineF(cut[k], cut[k + 1]), nullptr) ==
                                QLineF::BoundedIntersection;
                }
            }
            if (isCrossed) {
                crossed.push_back(wire.wire);
            }
        }
        return crossed;
    }
};

} // namespace

std::unique_ptr<CanvasTool> makeCutTool(CanvasView& view, QPointF at) {
    return std::make_unique<CutTool>(view, at);
}

} // namespace weft::ui
