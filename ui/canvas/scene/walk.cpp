// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/walk.h"

#include <cmath>
#include <limits>

namespace weft::ui {

namespace {

QPointF directionOf(Qt::Key arrow) {
    switch (arrow) {
    case Qt::Key_Up: return {0, -1};
    case Qt::Key_Down: return {0, 1};
    case Qt::Key_Left: return {-1, 0};
    default: return {1, 0};
    }
}

} // namespace

LayerId neighbourInDirection(const DisplayList& list, LayerId id, Qt::Key arrow) {
    const NodeView* from = list.node(id);
    if (from == nullptr) {
        return list.nodes.empty() ? LayerId{} : list.nodes.front().id;
    }
    const QPointF direction = directionOf(arrow);
    LayerId best;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const NodeView& node, double favour) {
        const QPointF way = node.box.center() - from->box.center();
        const double ahead = QPointF::dotProduct(way, direction);
        if (node.id == id || ahead <= 0) {
            return;
        }
        const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
        const double cost = (ahead + 2 * aside) * favour;
        if (cost < least) {
            least = cost;
            best = node.id;
        }
    };
    for (const NodeView& node : list.nodes) {
        consider(node, 1);
    }
    constexpr double alongWire = 0.1;
    for (const WireView& wire : list.wires) {
        const LayerId other = wire.wire.from.layer == id ? wire.wire.to.layer
                              : wire.wire.to.layer == id ? wire.wire.from.layer
                                                         : LayerId{};
        if (const NodeView* node = list.node(other)) {
            consider(*node, alongWire);
        }
    }
    return best;
}

} // namespace weft::ui
