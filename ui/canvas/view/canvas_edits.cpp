// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/canvas_edits.h"

#include "canvas/scene/reroute.h"
#include "canvas/scene/take_off.h"
#include "canvas/view/canvas_view.h"
#include "canvas/view/in_place_editor.h"
#include "workspace/mend.h"

#include <algorithm>

namespace weft::ui {

void CanvasEdits::finish() {
    if (editor_ != nullptr) {
        editor_->finish();
    }
}

void CanvasEdits::open(const QRectF& scene, const QString& text, bool hasLines,
                       std::function<void(const QString&)> take) {
    finish();
    view_.closeCard();
    const Viewport& at = view_.viewport();
    const QRectF box(at.toLogical(scene.topLeft()), at.toLogical(scene.bottomRight()));
    editor_ = new InPlaceEditor(view_, box.toRect(), text, hasLines, std::move(take));
}

void CanvasEdits::editName(LayerId layer) {
    if (view_.list().node(layer) == nullptr || view_.state().isRun) {
        return;
    }
    view_.camera().reveal(layer);
    const NodeView& node = *view_.list().node(layer);
    open(node.titleBox(), node.name, false, [this, layer](const QString& name) {
        const NetworkPath path = view_.selection().path();
        view_.document().edit(CanvasView::tr("Rename"), [&](Design& design) {
            return renameLayer(design, path, layer, name.trimmed().toStdString());
        });
    });
}

void CanvasEdits::editText(const ItemRef& item) {
    if (view_.state().isRun) {
        return;
    }
    const NetworkPath path = view_.selection().path();
    const std::size_t index = item.index;
    const FrameView* frame =
        item.kind == ItemRef::Kind::frame ? view_.list().frame(index) : nullptr;
    const CommentView* comment =
        item.kind == ItemRef::Kind::comment ? view_.list().comment(index) : nullptr;
    if (frame != nullptr) {
        open(frame->titleBox(), frame->title, false, [this, path, index](const QString& text) {
            view_.document().edit(CanvasView::tr("Rename frame"), [&](Design& design) {
                Frame changed = networkAt(design, path).frames[index];
                changed.title = text.toStdString();
                return setFrame(design, path, index, changed);
            });
        });
    } else if (comment != nullptr) {
        open(comment->box(), comment->text, true, [this, path, index](const QString& text) {
            view_.document().edit(CanvasView::tr("Edit comment"), [&](Design& design) {
                if (text.trimmed().isEmpty()) {
                    return removeComment(design, path, index);
                }
                Comment changed = networkAt(design, path).comments[index];
                changed.text = text.toStdString();
                return setComment(design, path, index, changed);
            });
        });
    }
    view_.selectItem(item);
}

void CanvasEdits::removeItem(const ItemRef& item) {
    const NetworkPath path = view_.selection().path();
    view_.document().edit(CanvasView::tr("Delete"), [&](Design& design) {
        switch (item.kind) {
        case ItemRef::Kind::frame: return removeFrame(design, path, item.index);
        case ItemRef::Kind::comment: return removeComment(design, path, item.index);
        case ItemRef::Kind::reroute: break;
        }
        return removeReroute(design, path, item);
    });
    view_.selectItem({});
}

void CanvasEdits::applyFix(LayerId layer) {
    const NodeView* node = view_.list().node(layer);
    if (node != nullptr && !node->marks.empty()) {
        const Diagnostic problem = node->marks.front().problem; // the edit rebuilds the list
        mend(view_.document(), problem);
    }
}

void CanvasEdits::detach(const Endpoint& end, bool isInput) {
    const NetworkPath path = view_.selection().path();
    std::vector<Wire> wires;
    std::ranges::copy_if(view_.selection().network().wires, std::back_inserter(wires),
                         [&](const Wire& wire) { return (isInput ? wire.to : wire.from) == end; });
    view_.document().edit(CanvasView::tr("Detach"),
                          [&](Design& design) { return removeWires(design, path, wires); });
}

} // namespace weft::ui
