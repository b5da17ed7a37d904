// SPDX-License-Identifier: Apache-2.0
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"

namespace weft::ui {

namespace {

class FixTool : public CanvasTool {
public:
    FixTool(CanvasView& view, LayerId layer) : CanvasTool(view), layer_(layer) {}

    void move(QPointF, Qt::KeyboardModifiers) override {}
    void release(QPointF at, Qt::KeyboardModifiers) override {
        const NodeView* node = view_.list().node(layer_);
        if (node != nullptr && node->fixBox().contains(view_.viewport().toScene(at))) {
            view_.edits().applyFix(layer_);
        }
    }

private:
    LayerId layer_;
};

std::unique_ptr<CanvasTool> toolAtPort(CanvasView& view, const DisplayList::PortHit& hit,
                                       Qt::KeyboardModifiers modifiers) {
    const Endpoint end{hit.node->id, hit.port->name.toStdString()};
    if ((modifiers & Qt::AltModifier) != 0) {
        view.edits().detach(end, hit.port->isInput);
        return nullptr;
    }
    return makeWireTool(view, end, !hit.port->isInput, (modifiers & Qt::ControlModifier) != 0);
}

/// Returns the tool for a press outside layers: on a wire, comment, frame or empty canvas.
std::unique_ptr<CanvasTool> toolOnGround(CanvasView& view, const Press& press, QPointF scene) {
    const double reach = 6 / view.viewport().zoom;
    const bool isAlt = press.modifiers == Qt::AltModifier;
    if (const auto point = view.list().rerouteAt(scene, reach + 2)) {
        if (isAlt) {
            view.edits().removeItem(*point);
            return nullptr;
        }
        return makeItemTool(view, press.at, *point);
    }
    if (const SyncView* sync = view.list().syncAt(scene)) {
        view.selection().select({sync->layer});
        return nullptr;
    }
    if (const WireView* wire = view.list().wireAt(scene, reach)) {
        if (isAlt) {
            return makeRerouteTool(view, press.at, *wire);
        }
        view.selection().selectWire(wire->wire);
        return nullptr;
    }
    if (const CommentView* comment = view.list().commentAt(scene)) {
        return makeItemTool(view, press.at, {ItemRef::Kind::comment, comment->index});
    }
    constexpr Qt::KeyboardModifiers zoomKeys = Qt::ControlModifier | Qt::ShiftModifier;
    if ((press.modifiers & zoomKeys) == zoomKeys) {
        return makeZoomTool(view, press.at);
    }
    for (auto frame = view.list().frames.rbegin(); frame != view.list().frames.rend(); ++frame) {
        if (const Qt::Edges edges = edgesAt(*frame, scene, reach); edges != Qt::Edges{}) {
            return makeResizeTool(view, press.at, frame->index, edges);
        }
        if (frame->header().contains(scene)) {
            return makeItemTool(view, press.at, {ItemRef::Kind::frame, frame->index});
        }
    }
    return makeBandTool(view, press.at);
}

/// While a run is shown, nothing can be moved.
std::unique_ptr<CanvasTool> pickOf(CanvasView& view, const Press& press) {
    const QPointF scene = view.viewport().toScene(press.at);
    if (const NodeView* node = view.list().nodeAt(scene)) {
        if ((press.modifiers & Qt::ControlModifier) != 0) {
            view.selection().toggle(node->id);
        } else {
            view.selection().select({node->id});
        }
    } else if (const SyncView* sync = view.list().syncAt(scene)) {
        view.selection().select({sync->layer});
    } else if (const WireView* wire = view.list().wireAt(scene, 6 / view.viewport().zoom)) {
        view.selection().selectWire(wire->wire);
    } else {
        return makeBandTool(view, press.at);
    }
    return nullptr;
}

} // namespace

std::unique_ptr<CanvasTool> makeFixTool(CanvasView& view, LayerId layer) {
    return std::make_unique<FixTool>(view, layer);
}

std::unique_ptr<CanvasTool> toolFor(CanvasView& view, const Press& press) {
    const bool isLeft = press.button == Qt::LeftButton;
    if (press.button == Qt::MiddleButton || (isLeft && press.isHand)) {
        return makePanTool(view, press.at);
    }
    const bool isCut = press.isKnife ? isLeft
                                     : press.button == Qt::RightButton &&
                                           (press.modifiers & Qt::ControlModifier) != 0;
    if (isCut && !view.state().isRun) {
        return makeCutTool(view, press.at);
    }
    if (!isLeft) {
        return nullptr;
    }
    if (view.state().isRun) {
        return pickOf(view, press);
    }
    if (const auto& brush = view.brush()) {
        return makeBrushTool(view, *brush, press.at);
    }
    const QPointF scene = view.viewport().toScene(press.at);
    const bool isNear = view.viewport().isNear();
    const NodeView* node = view.list().nodeAt(scene);
    if (isNear && node != nullptr && node->fixBox().contains(scene)) {
        return makeFixTool(view, node->id);
    }
    const double reach = tokens().sizes.size.hitMinimum / 2.0 / view.viewport().zoom;
    if (const DisplayList::PortHit hit = view.list().portAt(scene, reach);
        isNear && hit.port != nullptr) {
        return toolAtPort(view, hit, press.modifiers);
    }
    return node != nullptr ? makeMoveTool(view, press.at, node->id)
                           : toolOnGround(view, press, scene);
}

} // namespace weft::ui
