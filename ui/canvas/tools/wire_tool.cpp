// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_view.h"
#include "canvas/tools/canvas_tool.h"
#include "theme/theme.h"

namespace weft::ui {

namespace {

class WireTool : public CanvasTool {
public:
    WireTool(CanvasView& view, Endpoint from, bool fromOutput, std::optional<Wire> moved)
        : CanvasTool(view),
          from_(std::move(from)),
          fromOutput_(fromOutput),
          moved_(std::move(moved)),
          behind_(reachable()) {
        CanvasState::Drag drag;
        drag.layer = from_.layer;
        drag.port = QString::fromStdString(from_.port);
        drag.fromOutput = fromOutput_;
        drag.to = view_.pointer();
        for (const NodeView& node : view_.list().nodes) {
            for (const PortView& port : node.ports) {
                if (port.isInput == fromOutput_ && refusalOf(node).isEmpty()) {
                    drag.legal << QStringLiteral("%1/%2").arg(node.id.value).arg(port.name);
                }
            }
        }
        view_.state().drag = std::move(drag);
        view_.update();
    }
    ~WireTool() override {
        view_.state().drag.reset();
        view_.update();
    }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        CanvasState::Drag& drag = *view_.state().drag;
        drag.to = view_.sceneOf(at);
        drag.target = {};
        drag.targetPort.clear();
        drag.refusal.clear();
        const double reach = tokens().sizes.size.hitMinimum / view_.at().zoom;
        const DisplayList::PortHit hit = nearest(drag.to, reach);
        if (hit.port != nullptr) {
            drag.refusal = refusalOf(*hit.node);
            if (drag.refusal.isEmpty()) {
                drag.target = hit.node->id;
                drag.targetPort = hit.port->name;
            }
        }
        view_.update();
    }

    void release(QPointF at, Qt::KeyboardModifiers modifiers) override {
        move(at, modifiers);
        const CanvasState::Drag drag = *view_.state().drag;
        const NetworkPath path = view_.selection().path();
        if (drag.target.isNone()) {
            if (moved_) {
                view_.document().edit(CanvasView::tr("Disconnect"), [&](Design& design) {
                    return disconnect(design, path, moved_->from, moved_->to);
                });
            } else if (drag.refusal.isEmpty()) {
                emit view_.offerLayer(drag.to, from_, fromOutput_);
            }
            return;
        }
        const Endpoint met{drag.target, drag.targetPort.toStdString()};
        view_.document().edit(moved_ ? CanvasView::tr("Move wire") : CanvasView::tr("Connect"),
                              [&](Design& design) {
                                  if (moved_ && met != moved_->to) {
                                      disconnect(design, path, moved_->from, moved_->to);
                                  }
                                  return fromOutput_ ? connect(design, path, from_, met)
                                                     : connect(design, path, met, from_);
                              });
    }

private:
    /// Why a wire may not end there; empty: it may.
    [[nodiscard]] QString refusalOf(const NodeView& node) const {
        if (node.id == from_.layer) {
            return CanvasView::tr("a layer cannot feed itself: put a delay between");
        }
        if (behind_.contains(node.id)) {
            const QString here = view_.list().node(from_.layer)->name;
            return CanvasView::tr("this would close a circle: %1 already leads to %2")
                .arg(fromOutput_ ? node.name : here, fromOutput_ ? here : node.name);
        }
        return {};
    }

    /// All that leads to the layer (a wire from its output may not end there), or that it leads to.
    [[nodiscard]] std::set<LayerId> reachable() const {
        std::set<LayerId> reached{from_.layer};
        for (bool isMore = true; isMore;) {
            isMore = false;
            for (const Wire& wire : view_.selection().network().wires) {
                const LayerId here = fromOutput_ ? wire.to.layer : wire.from.layer;
                const LayerId there = fromOutput_ ? wire.from.layer : wire.to.layer;
                isMore = (reached.contains(here) && reached.insert(there).second) || isMore;
            }
        }
        return reached;
    }

    /// The nearest port of the side that is asked for.
    [[nodiscard]] DisplayList::PortHit nearest(QPointF at, double reach) const {
        DisplayList::PortHit best;
        double least = reach * reach;
        for (const NodeView& node : view_.list().nodes) {
            if (!node.box.adjusted(-reach, -reach, reach, reach).contains(at)) {
                continue;
            }
            for (const PortView& port : node.ports) {
                const QPointF way = port.at - at;
                const double distance = QPointF::dotProduct(way, way);
                // Inside a node any of its free ports will do.
                if (port.isInput == fromOutput_ && (distance <= least || node.box.contains(at)) &&
                    (best.port == nullptr || distance < least)) {
                    least = distance;
                    best = {&node, &port};
                }
            }
        }
        return best;
    }

    Endpoint from_;
    bool fromOutput_;
    std::optional<Wire> moved_;
    std::set<LayerId> behind_;
};

} // namespace

std::unique_ptr<CanvasTool> makeWireTool(CanvasView& view, Endpoint from, bool fromOutput,
                                         bool isMoved) {
    if (isMoved) {
        for (const Wire& wire : view.selection().network().wires) {
            if (wire.to == from) {
                return std::make_unique<WireTool>(view, wire.from, true, wire);
            }
        }
    }
    return std::make_unique<WireTool>(view, std::move(from), fromOutput, std::nullopt);
}

} // namespace weft::ui
