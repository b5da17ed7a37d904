// SPDX-License-Identifier: Apache-2.0
// Mouse and keyboard input of the canvas: a press starts a tool, a key acts immediately.
#include "canvas/scene/walk.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"
#include "canvas/view/card_text.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace weft::ui {

void CanvasView::endTool() {
    borderPanTimer_.stop();
    // The end of one tool may start another.
    const std::unique_ptr<CanvasTool> ended = std::move(activeTool_);
}

void CanvasView::cancelTool() {
    activeTool_->cancel();
    endTool();
}

bool CanvasView::event(QEvent* event) {
    // Tab adds a layer on the canvas; F6 moves the focus out of it.
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier) {
            emit addWanted(pointer());
            return true;
        }
    }
    // While a tool is active, Escape belongs to the tool, and so do keys that are shortcuts
    // otherwise.
    if (event->type() == QEvent::ShortcutOverride && activeTool_ &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ContextMenu) {
        auto* menu = static_cast<QContextMenuEvent*>(event);
        const bool isKey = menu->reason() == QContextMenuEvent::Keyboard;
        const NodeView* node = list_->node(selection_.current());
        if (isKey && node != nullptr) {
            showMenu(viewport().toLogical(node->box.center()).toPoint());
        } else if (!activeTool_ && (menu->modifiers() & Qt::ControlModifier) == 0) {
            showMenu(menu->pos());
        }
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void CanvasView::showMenu(QPoint at) {
    closeCard();
    const NodeView* node = list_->nodeAt(camera_.viewport().toScene(QPointF(at)));
    if (node != nullptr && !selection_.has(node->id)) {
        selection_.select({node->id});
    }
    emit customContextMenuRequested(at);
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    if (activeTool_) {
        return;
    }
    closeCard();
    focusOn({});
    const Press press{event->position(), event->button(), event->modifiers(), isSpaceHeld_,
                      isKnifeHeld_};
    hasPanned_ = hasPanned_ || isSpaceHeld_;
    currentBeforePress_ = selection_.current();
    activeTool_ = toolFor(*this, press);
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    if (!activeTool_) {
        showHovered(event->position());
        return;
    }
    pointerAt_ = event->position();
    activeTool_->move(pointerAt_, event->modifiers());
    constexpr int near = 24;
    if (!activeTool_->pansAtBorder() ||
        rect().adjusted(near, near, -near, -near).contains(pointerAt_.toPoint())) {
        borderPanTimer_.stop();
    } else if (!borderPanTimer_.isActive()) {
        borderPanTimer_.start();
    }
}

/// Pans faster the closer the pointer is to the border, or the farther it is beyond the border.
void CanvasView::panAtBorder() {
    if (!activeTool_) {
        borderPanTimer_.stop();
        return;
    }
    const auto speed = [](double at, double length) {
        constexpr double near = 24;
        constexpr double most = 20;
        const double before = near - at;
        const double after = at - (length - near);
        return before > 0  ? std::min(most, before / 2)
               : after > 0 ? -std::min(most, after / 2)
                           : 0.0;
    };
    camera_.pan({speed(pointerAt_.x(), width()), speed(pointerAt_.y(), height())});
    activeTool_->move(pointerAt_, QGuiApplication::keyboardModifiers());
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (activeTool_) {
        activeTool_->release(event->position(), event->modifiers());
        endTool();
    }
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || brush_) {
        mousePressEvent(event);
        return;
    }
    const QPointF scene = viewport().toScene(event->position());
    const bool isNear = viewport().isNear();
    if (const NodeView* node = list_->nodeAt(scene)) {
        if (isNear && node->titleBox().contains(scene)) {
            edits_.editName(node->id);
        } else if (node->isGroup) {
            selection_.enter({node->kind.toStdString()});
        } else {
            emit entered();
        }
    } else if (const CommentView* comment = list_->commentAt(scene)) {
        edits_.editText({ItemRef::Kind::comment, comment->index});
    } else if (const FrameView* frame = list_->frameAt(scene);
               frame != nullptr && frame->titleBox().contains(scene)) {
        edits_.editText({ItemRef::Kind::frame, frame->index});
    } else {
        // Selects again what the first press has deselected: the new layer reads its output.
        if (selection_.isEmpty() && list_->node(currentBeforePress_) != nullptr) {
            selection_.select({currentBeforePress_});
        }
        emit addWanted(scene);
    }
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (!pressKey(*event)) {
        QWidget::keyPressEvent(event);
    }
}

bool CanvasView::pressKey(const QKeyEvent& event) {
    const int digit = event.key() - Qt::Key_0;
    const Qt::KeyboardModifiers held = event.modifiers() & ~Qt::KeypadModifier;
    if (digit >= 1 && digit <= 9 && (held == Qt::NoModifier || held == Qt::ControlModifier)) {
        if (held == Qt::ControlModifier) {
            camera_.setBookmark(digit);
        } else {
            camera_.goToBookmark(digit);
        }
        return true;
    }
    switch (event.key()) {
    case Qt::Key_Escape:
        if (activeTool_) {
            cancelTool();
        } else if (brush_) {
            setBrush({});
        } else if (state_.item) {
            selectItem({});
        } else if (!selection_.isEmpty()) {
            selection_.clear();
        } else if (!selection_.path().group.empty()) {
            selection_.enter({});
        } else {
            emit lensUnwanted();
        }
        return true;
    case Qt::Key_Space:
        if (!event.isAutoRepeat()) {
            isSpaceHeld_ = true;
            hasPanned_ = false;
            setCursor(Qt::OpenHandCursor);
        }
        return true;
    case Qt::Key_Y: isKnifeHeld_ = true; return true;
    case Qt::Key_F2:
        if (state_.item) {
            edits_.editText(*state_.item);
        } else {
            edits_.editName(selection_.current());
        }
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: emit entered(); return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (state_.item && !state_.isRun) {
            edits_.removeItem(*state_.item);
        }
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: walk(static_cast<Qt::Key>(event.key()), event.modifiers()); return true;
    default: return false;
    }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->isAutoRepeat()) {
        return;
    }
    if (event->key() == Qt::Key_Y) {
        isKnifeHeld_ = false;
    }
    if (event->key() == Qt::Key_Space && isSpaceHeld_) {
        isSpaceHeld_ = false;
        unsetCursor();
        const LayerId layer = focused_.isNone() ? selection_.current() : focused_;
        if (!hasPanned_ && list_->node(layer) != nullptr) {
            focusOn(layer);
            selection_.toggle(layer);
        }
    }
}

void CanvasView::walk(Qt::Key arrow, Qt::KeyboardModifiers modifiers) {
    const LayerId from = focused_.isNone() ? selection_.current() : focused_;
    const LayerId to = neighbourInDirection(*list_, from, arrow);
    if (to.isNone()) {
        return;
    }
    focusOn(to);
    if ((modifiers & Qt::ShiftModifier) != 0) {
        selection_.add({to});
    } else if ((modifiers & Qt::ControlModifier) == 0) {
        selection_.select({to});
    }
    camera_.reveal(to);
}

void CanvasView::focusOn(LayerId layer) {
    if (focused_ != layer) {
        focused_ = layer;
        state_.focused = layer;
        redraw();
        emit focusMoved(layer);
    }
}

void CanvasView::leaveEvent(QEvent*) {
    state_.hovered = {};
    state_.hoveredWire.reset();
    hoveredSync_ = {};
    if (!activeTool_) {
        state_.tag.reset();
    }
    // The pointer may be moving to the card, so the card stays open for a moment.
    hoverTimer_.stop();
    if (!hoverCard_.underMouse()) {
        closeCard();
    }
    redraw();
}

void CanvasView::closeCard() {
    hoverTimer_.stop();
    hoverCard_.hide();
}

void CanvasView::showHovered(QPointF logical) {
    pointerAt_ = logical;
    const QPointF scene = viewport().toScene(logical);
    const double reach = 6 / viewport().zoom;
    const NodeView* node = list_->nodeAt(scene);
    const SyncView* sync = node == nullptr ? list_->syncAt(scene) : nullptr;
    const bool isBetween = node == nullptr && sync == nullptr;
    const WireView* badge = isBetween ? list_->badgeAt(scene) : nullptr;
    const WireView* wire = badge != nullptr ? badge
                           : isBetween      ? list_->wireAt(scene, reach)
                                            : nullptr;
    const LayerId learning = sync != nullptr ? sync->layer : LayerId{};
    const LayerId hovered = node != nullptr ? node->id : LayerId{};
    const std::optional<Wire> on = wire != nullptr ? std::optional(wire->wire) : std::nullopt;
    Qt::Edges edges;
    if (const FrameView* frame =
            node == nullptr && wire == nullptr && !isSpaceHeld_ ? list_->frameAt(scene) : nullptr) {
        edges = edgesAt(*frame, scene, reach);
    }
    if (!isSpaceHeld_ && !brush_) {
        const bool isFix = node != nullptr && node->fixBox().contains(scene);
        const bool isAcross = (edges & (Qt::LeftEdge | Qt::RightEdge)) != 0;
        const bool isDown = (edges & Qt::BottomEdge) != 0;
        setCursor(isFix                ? Qt::PointingHandCursor
                  : isAcross && isDown ? Qt::SizeFDiagCursor
                  : isAcross           ? Qt::SizeHorCursor
                  : isDown             ? Qt::SizeVerCursor
                                       : Qt::ArrowCursor);
    }
    if (hovered == state_.hovered && on == state_.hoveredWire && learning == hoveredSync_) {
        if (state_.tag) {
            state_.tag->at = scene;
            redraw();
        }
        return;
    }
    // Repaints only the two nodes whose hover state changes.
    for (const LayerId id : {state_.hovered, hovered}) {
        if (const NodeView* changed = list_->node(id)) {
            redraw(viewport().logicalOf(viewport().toDevice(changed->box)).adjusted(-8, -8, 8, 8));
        }
    }
    closeCard();
    state_.tag.reset();
    if (on != state_.hoveredWire) {
        redraw();
    }
    state_.hovered = hovered;
    state_.hoveredWire = on;
    hoveredSync_ = learning;
    if (wire != nullptr && badge == nullptr) {
        const QString text = wireLabel(wire->wire, known(), selection_.network());
        if (!text.isEmpty()) {
            state_.tag = {scene, text, false};
        }
    } else if (node != nullptr || sync != nullptr || badge != nullptr) {
        hoverTimer_.start();
    }
}

void CanvasView::openCard() {
    if (activeTool_ || brush_ || edits_.isEditing()) {
        return;
    }
    const Network& network = selection_.network();
    const auto boxOf = [this](const QRectF& scene) {
        return QRectF(viewport().toLogical(scene.topLeft()),
                      viewport().toLogical(scene.bottomRight()))
            .toRect();
    };
    const NodeView* node = list_->node(state_.hovered);
    const Layer* layer = findLayer(network, state_.hovered);
    if (node != nullptr && layer != nullptr) {
        cardLayer_ = node->id;
        const auto times = timesOf_ ? timesOf_(known().nameOf(*layer)) : std::nullopt;
        CardText card = hoverCardText(*node, *layer, known(), network, times);
        if (state_.isRun) {
            card.canMend = false; // the canvas is read-only here
        }
        hoverCard_.open(card, boxOf(node->box));
    } else if (const SyncView* sync = list_->syncAt(viewport().toScene(pointerAt_));
               sync != nullptr && sync->layer == hoveredSync_) {
        if (const Layer* learns = findLayer(network, sync->layer)) {
            hoverCard_.open(hoverCardText(*sync, *learns, known()), boxOf(sync->box()));
        }
    } else if (const WireView* wire = list_->badgeAt(viewport().toScene(pointerAt_))) {
        const BadgeView& badge = list_->badges[static_cast<std::size_t>(wire->badge)];
        hoverCard_.open(hoverCardText(badge, wire->wire, known(), network),
                        boxOf(boxOfBadge(badge.at)));
    }
}

} // namespace weft::ui
