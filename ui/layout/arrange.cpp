// SPDX-License-Identifier: Apache-2.0
#include "layout/arrange.h"

#include "layout/layered_layout.h"
#include "theme/theme.h"

#include <QRectF>
#include <algorithm>
#include <unordered_map>

namespace weft::ui {

namespace {

constexpr double belowRow = 56;

using Numbers = std::unordered_map<LayerId, int>;

QSizeF sizeOf(const Layer& layer, const std::vector<LayerKindInfo>& kinds) {
    const Sizes::Size& size = tokens().sizes.size;
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    const bool isCompact = layer.kind != groupKind && kind != nullptr && kind->parameters.empty();
    return {static_cast<double>(size.nodeWidth),
            static_cast<double>(isCompact ? size.nodeCompact : size.nodeHeight)};
}

/// Returns the index of the port among the layer's inputs.
double portOf(const Layer& layer, const std::vector<LayerKindInfo>& kinds,
              const std::string& port) {
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    return kind == nullptr
               ? 0
               : static_cast<double>(std::ranges::find(kind->inputs, port, &PortInfo::name) -
                                     kind->inputs.begin());
}

/// Returns the bounding box of the layers that have a position; empty if there are none.
QRectF boxOfPlaced(const Network& network, const std::vector<LayerKindInfo>& kinds) {
    QRectF box;
    for (const Layer& layer : network.layers) {
        if (layer.position) {
            box |= QRectF({layer.position->x, layer.position->y}, sizeOf(layer, kinds));
        }
    }
    return box;
}

/// Draws a new box around each frame that contains only these layers.
void drawFrames(Network& network, const Numbers& numbers, const std::vector<QRectF>& boxes) {
    constexpr double margin = 24;
    constexpr double header = 24;
    for (Frame& frame : network.frames) {
        QRectF box;
        const bool isMeant = std::ranges::all_of(frame.layers, [&](LayerId id) {
            const auto number = numbers.find(id);
            box |= number == numbers.end() ? QRectF()
                                           : boxes[static_cast<std::size_t>(number->second)];
            return number != numbers.end();
        });
        if (isMeant && !box.isEmpty()) {
            box.adjust(-margin, -margin - header, margin, margin);
            frame.topLeft = {box.left(), box.top()};
            frame.size = {box.width(), box.height()};
        }
    }
}

template <class Change>
Design inEachNetwork(Design design, Change change) {
    change(design.network);
    for (GroupDefinition& group : design.groups) {
        change(group.network);
    }
    return design;
}

} // namespace

void placeUnplaced(Network& network, const std::vector<LayerKindInfo>& kinds, double aspect,
                   double besides) {
    LayoutGraph graph;
    Numbers numbers;
    std::vector<const Layer*> layers;
    for (const Layer& layer : network.layers) {
        if (!layer.position) {
            numbers.emplace(layer.id, static_cast<int>(numbers.size()));
            graph.sizes.push_back(sizeOf(layer, kinds));
            layers.push_back(&layer);
        }
    }
    if (numbers.empty()) {
        return;
    }
    for (Wire& wire : network.wires) {
        const auto from = numbers.find(wire.from.layer);
        const auto to = numbers.find(wire.to.layer);
        if (from != numbers.end() && to != numbers.end()) {
            wire.via.clear();
            const Layer& lower = *layers[static_cast<std::size_t>(to->second)];
            graph.edges.push_back({from->second, to->second, portOf(lower, kinds, wire.to.port)});
        }
    }
    const std::vector<QPointF> places = layeredLayout(
        graph, {.besides = besides, .below = belowRow, .columns = 4 * besides, .aspect = aspect});
    const QRectF others = boxOfPlaced(network, kinds);
    const QPointF corner =
        others.isEmpty() ? QPointF() : others.bottomLeft() + QPointF(0, belowRow);
    std::vector<QRectF> boxes;
    for (Layer& layer : network.layers) {
        if (!layer.position) {
            const std::size_t number = boxes.size();
            boxes.emplace_back(places[number] + corner, graph.sizes[number]);
            layer.position = Point{boxes.back().x(), boxes.back().y()};
        }
    }
    drawFrames(network, numbers, boxes);
}

Design placed(Design design, const std::vector<LayerKindInfo>& kinds, double aspect) {
    return inEachNetwork(std::move(design),
                         [&](Network& network) { placeUnplaced(network, kinds, aspect); });
}

Design arranged(Design design, const std::vector<LayerKindInfo>& kinds, double aspect,
                double besides) {
    return inEachNetwork(std::move(design), [&](Network& network) {
        for (Layer& layer : network.layers) {
            layer.position.reset();
        }
        placeUnplaced(network, kinds, aspect, besides);
    });
}

} // namespace weft::ui
