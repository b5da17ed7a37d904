// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/take_off.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"
#include "theme/theme.h"

namespace weft::ui {

namespace {

class WireTool : public CanvasTool {
public:
    WireTool(CanvasView& view, Endpoint from, bool fromOutput, std::vector<Wire> moved)
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
        drag_ = &view_.state().drag.emplace(std::move(drag));
        view_.redraw();
    }
    ~WireTool() override {
        view_.state().drag.reset();
        view_.redraw();
    }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        CanvasState::Drag& drag = *drag_;
        drag.to = view_.viewport().toScene(at);
        drag.target = {};
        drag.targetPort.clear();
        drag.refusal.clear();
        const double reach = tokens().sizes.size.hitMinimum / view_.viewport().zoom;
        const DisplayList::PortHit hit = nearest(drag.to, reach);
        if (hit.port != nullptr) {
            drag.refusal = refusalOf(*hit.node);
            if (drag.refusal.isEmpty()) {
                drag.target = hit.node->id;
                drag.targetPort = hit.port->name;
            }
        } else if (const NodeView* node = view_.list().nodeAt(drag.to);
                   node != nullptr && node->id != from_.layer) {
            drag.refusal =
                fromOutput_
                    ? CanvasView::tr("%1 has no inputs: it is a source of data").arg(node->name)
                    : CanvasView::tr("%1 has no outputs").arg(node->name);
        }
        view_.redraw();
    }

    void release(QPointF at, Qt::KeyboardModifiers modifiers) override {
        move(at, modifiers);
        const CanvasState::Drag drag = *drag_;
        const NetworkPath path = view_.selection().path();
        if (drag.target.isNone()) {
            if (!moved_.empty() && drag.refusal.isEmpty()) {
                view_.document().edit(CanvasView::tr("Disconnect"), [&](Design& design) {
                    return removeWires(design, path, moved_);
                });
            } else if (moved_.empty() && drag.refusal.isEmpty()) {
                emit view_.offerLayer(drag.to, from_, fromOutput_);
            }
            return;
        }
        const Endpoint met{drag.target, drag.targetPort.toStdString()};
        view_.document().edit(
            moved_.empty() ? CanvasView::tr("Connect") : CanvasView::tr("Move wire"),
            [&](Design& design) {
                return moved_.empty() ? join(design, path, from_, met) : moveTo(design, path, met);
            });
    }

private:
    [[nodiscard]] Edited join(Design& design, const NetworkPath& path, const Endpoint& own,
                              const Endpoint& met) const {
        return fromOutput_ ? connect(design, path, own, met) : connect(design, path, met, own);
    }
    [[nodiscard]] Edited moveTo(Design& design, const NetworkPath& path,
                                const Endpoint& met) const {
        (void)removeWires(design, path, moved_);
        Edited edited;
        for (const Wire& wire : moved_) {
            edited = join(design, path, fromOutput_ ? wire.from : wire.to, met);
            if (!edited.isDone()) {
                break;
            }
        }
        return edited;
    }

    /// Returns why a wire cannot end at this node, or an empty text if it can.
    [[nodiscard]] QString refusalOf(const NodeView& node) const {
        if (node.id == from_.layer) {
            return CanvasView::tr("a layer cannot feed itself: insert a delay");
        }
        if (behind_.contains(node.id)) {
            const QString here = view_.list().node(from_.layer)->name;
            return CanvasView::tr("this would close a cycle: %1 already feeds %2")
                .arg(fromOutput_ ? node.name : here, fromOutput_ ? here : node.name);
        }
        return {};
    }

    /// Returns all layers upstream (for a wire from an output) or downstream of the wire's start; a
    /// wire that ends at one of these layers would close a cycle.
    [[nodiscard]] std::set<LayerId> reachable() const {
        std::set<LayerId> reached{from_.layer};
        for (const Wire& wire : moved_) {
            reached.insert(fromOutput_ ? wire.from.layer : wire.to.layer);
        }
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

    /// Returns the nearest port on the side that the wire needs.
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
                // Inside a node, the nearest of its ports matches at any distance.
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
    std::vector<Wire> moved_;
    std::set<LayerId> behind_;
    CanvasState::Drag* drag_ = nullptr; ///< drag state of the view while the tool is active
};

} // namespace

std::unique_ptr<CanvasTool> makeWireTool(CanvasView& view, Endpoint from, bool fromOutput,
                                         bool isMoved) {
    // Moved wires are held by their other ends.
    std::vector<Wire> moved;
    for (const Wire& wire : view.selection().network().wires) {
        if (isMoved && (fromOutput ? wire.from : wire.to) == from) {
            moved.push_back(wire);
        }
    }
    if (!moved.empty()) {
        from = fromOutput ? moved.front().to : moved.front().from;
        fromOutput = !fromOutput;
    }
    return std::make_unique<WireTool>(view, std::move(from), fromOutput, std::move(moved));
}

} // namespace weft::ui
