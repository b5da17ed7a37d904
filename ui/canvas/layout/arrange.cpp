// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/layout/arrange.h"

#include "canvas/layout/layered_layout.h"
#include "theme/theme.h"

#include <QRectF>
#include <map>

namespace weft::ui {

namespace {

QSizeF sizeOf(const Layer& layer, const std::vector<LayerKindInfo>& kinds) {
    const Sizes::Size& size = tokens().sizes.size;
    const LayerKindInfo* kind = findKind(kinds, layer.kind);
    const bool isCompact = layer.kind != groupKind && kind != nullptr && kind->parameters.empty();
    return {static_cast<double>(size.nodeWidth),
            static_cast<double>(isCompact ? size.nodeCompact : size.nodeHeight)};
}

void arrange(Network& network, const std::vector<LayerKindInfo>& kinds, double aspect,
             double besides) {
    LayoutGraph graph;
    std::map<LayerId, int> numbers;
    for (const Layer& layer : network.layers) {
        numbers.emplace(layer.id, static_cast<int>(numbers.size()));
        graph.sizes.push_back(sizeOf(layer, kinds));
    }
    for (Wire& wire : network.wires) {
        wire.via.clear();
        graph.edges.emplace_back(numbers.at(wire.from.layer), numbers.at(wire.to.layer));
    }
    const std::vector<QPointF> places = layeredLayout(
        graph, {.besides = besides, .below = 56, .columns = 4 * besides, .aspect = aspect});
    for (std::size_t i = 0; i < places.size(); ++i) {
        network.layers[i].position = {places[i].x(), places[i].y()};
    }
    constexpr double margin = 24;
    constexpr double header = 24;
    for (Frame& frame : network.frames) {
        QRectF box;
        for (const LayerId id : frame.layers) {
            const auto number = static_cast<std::size_t>(numbers.at(id));
            box |= QRectF(places[number], graph.sizes[number]);
        }
        if (!box.isEmpty()) {
            box.adjust(-margin, -margin - header, margin, margin);
            frame.topLeft = {box.left(), box.top()};
            frame.size = {box.width(), box.height()};
        }
    }
}

} // namespace

Design arranged(Design design, const std::vector<LayerKindInfo>& kinds, double aspect,
                double besides) {
    arrange(design.network, kinds, aspect, besides);
    for (GroupDefinition& group : design.groups) {
        arrange(group.network, kinds, aspect, besides);
    }
    return design;
}

} // namespace weft::ui
