// SPDX-License-Identifier: Apache-2.0
// Edits of the design that the canvas makes itself: texts, fixes, ports.
#include "canvas/scene/reroute.h"
#include "canvas/scene/take_off.h"
#include "canvas/view/canvas_view.h"
#include "canvas/view/in_place_editor.h"
#include "workspace/mend.h"

#include <algorithm>

namespace weft::ui {

void CanvasView::selectItem(const std::optional<ItemRef>& item) {
    if (item) {
        selection_.clear();
    }
    state_.item = item;
    update();
}

void CanvasView::openEditor(const QRectF& scene, const QString& text, bool hasLines,
                            std::function<void(const QString&)> take) {
    if (editor_ != nullptr) {
        editor_->finish();
    }
    closeCard();
    const QRectF box(at_.toLogical(scene.topLeft()), at_.toLogical(scene.bottomRight()));
    editor_ = new InPlaceEditor(*this, box.toRect(), text, hasLines, std::move(take));
}

void CanvasView::editName(LayerId layer) {
    if (list_->node(layer) == nullptr || state_.isRun) {
        return;
    }
    reveal(layer);
    const NodeView& node = *list_->node(layer);
    openEditor(node.titleBox(), node.name, false, [this, layer](const QString& name) {
        const NetworkPath path = selection_.path();
        document_.edit(tr("Rename"), [&](Design& design) {
            return renameLayer(design, path, layer, name.trimmed().toStdString());
        });
    });
}

void CanvasView::editText(const ItemRef& item) {
    if (state_.isRun) {
        return;
    }
    const NetworkPath path = selection_.path();
    const std::size_t index = item.index;
    const FrameView* frame = item.kind == ItemRef::Kind::frame ? list_->frame(index) : nullptr;
    const CommentView* comment =
        item.kind == ItemRef::Kind::comment ? list_->comment(index) : nullptr;
    if (frame != nullptr) {
        openEditor(frame->titleBox(), frame->title, false,
                   [this, path, index](const QString& text) {
                       document_.edit(tr("Rename frame"), [&](Design& design) {
                           Frame changed = networkAt(design, path).frames[index];
                           changed.title = text.toStdString();
                           return setFrame(design, path, index, changed);
                       });
                   });
    } else if (comment != nullptr) {
        openEditor(comment->box(), comment->text, true, [this, path, index](const QString& text) {
            document_.edit(tr("Edit comment"), [&](Design& design) {
                if (text.trimmed().isEmpty()) {
                    return removeComment(design, path, index);
                }
                Comment changed = networkAt(design, path).comments[index];
                changed.text = text.toStdString();
                return setComment(design, path, index, changed);
            });
        });
    }
    selectItem(item);
}

void CanvasView::removeItem(const ItemRef& item) {
    const NetworkPath path = selection_.path();
    document_.edit(tr("Delete"), [&](Design& design) {
        switch (item.kind) {
        case ItemRef::Kind::frame: return removeFrame(design, path, item.index);
        case ItemRef::Kind::comment: return removeComment(design, path, item.index);
        case ItemRef::Kind::reroute: break;
        }
        return removeReroute(design, path, item);
    });
    selectItem({});
}

void CanvasView::applyFix(LayerId layer) {
    const NodeView* node = list_->node(layer);
    if (node != nullptr && !node->marks.empty()) {
        const Diagnostic problem = node->marks.front().problem; // the edit rebuilds the list
        mend(document_, problem);
    }
}

void CanvasView::detach(const Endpoint& end, bool isInput) {
    const NetworkPath path = selection_.path();
    std::vector<Wire> wires;
    std::ranges::copy_if(selection_.network().wires, std::back_inserter(wires),
                         [&](const Wire& wire) { return (isInput ? wire.to : wire.from) == end; });
    document_.edit(tr("Detach"), [&](Design& design) { return takeOff(design, path, wires); });
}

void CanvasView::setBrush(const std::optional<Brush>& brush) {
    if (tool_) {
        cancelTool();
    }
    brush_ = brush;
    closeCard();
    state_.tag.reset();
    setCursor(brush_ ? Qt::CrossCursor : Qt::ArrowCursor);
    emit brushChanged();
}

QString CanvasView::brushRefusal(LayerId layer) const {
    const Layer* asked = findLayer(selection_.network(), layer);
    if (asked == nullptr || !brush_) {
        return {};
    }
    if (const LayerPreview* found = known().find(*asked)) {
        const auto legal = std::ranges::find(found->legal, brush_->word, &LegalWord::word);
        if (legal != found->legal.end() && !found->mesh.empty()) {
            return QString::fromStdString(refusalOf(*legal, found->mesh.front()));
        }
    }
    return {};
}

} // namespace weft::ui
