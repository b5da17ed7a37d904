// SPDX-License-Identifier: Apache-2.0
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"

#include <algorithm>
#include <utility>

namespace weft::ui {

namespace {

class BrushTool : public CanvasTool {
public:
    BrushTool(CanvasView& view, Brush brush, QPointF at)
        : CanvasTool(view), brush_(std::move(brush)) {
        view_.document().endMerging();
        move(at, {});
    }
    ~BrushTool() override {
        view_.state().tag.reset();
        view_.redraw();
    }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        const QPointF scene = view_.viewport().toScene(at);
        view_.state().tag.reset();
        if (const NodeView* node = view_.list().nodeAt(scene)) {
            const QString why = refusal(node->id);
            if (!why.isEmpty()) {
                view_.state().tag = {scene, node->name + ": " + why, true};
            } else if (!painted_.contains(node->id)) {
                const LayerId layer = node->id;
                painted_[layer] = findLayer(view_.selection().network(), layer)->assignment;
                give(layer, brush_.assignment);
            }
        }
        view_.redraw();
    }

    void release(QPointF, Qt::KeyboardModifiers) override { view_.document().endMerging(); }

    void cancel() override {
        for (const auto& [layer, before] : painted_) {
            give(layer, before);
        }
        view_.document().endMerging();
    }

private:
    /// Returns why the brush cannot paint this layer, or an empty text if it can.
    [[nodiscard]] QString refusal(LayerId layer) const {
        const Layer* asked = findLayer(view_.selection().network(), layer);
        const LayerPreview* found = asked == nullptr ? nullptr : view_.known().find(*asked);
        if (found != nullptr) {
            const auto legal = std::ranges::find(found->legal, brush_.word, &LegalWord::word);
            if (legal != found->legal.end() && !found->mesh.empty()) {
                return QString::fromStdString(refusalOf(*legal, found->mesh.front()));
            }
        }
        return {};
    }

    void give(LayerId layer, const std::optional<Assignment>& assignment) {
        const NetworkPath path = view_.selection().path();
        view_.document().edit(
            CanvasView::tr("Paint %1").arg(brush_.name),
            [&](Design& design) { return assign(design, path, {layer}, assignment); },
            QStringLiteral("paint"));
    }

    const Brush brush_;
    std::map<LayerId, std::optional<Assignment>> painted_; ///< with the previous assignment
};

} // namespace

std::unique_ptr<CanvasTool> makeBrushTool(CanvasView& view, Brush brush, QPointF at) {
    return std::make_unique<BrushTool>(view, std::move(brush), at);
}

} // namespace weft::ui
