// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/neighbourhood.h"

#include "canvas/scene/build_display_list.h"
#include "theme/theme.h"

#include <algorithm>

namespace weft::ui {

namespace {

/// Distance between two layers, with room for a badge.
constexpr double gap = 72;

const Wire* wireAt(const Network& network, LayerId layer, bool isInto) {
    const auto found = std::ranges::find_if(network.wires, [&](const Wire& wire) {
        return (isInto ? wire.to : wire.from).layer == layer;
    });
    return found == network.wires.end() ? nullptr : &*found;
}

/// A column of layers, each fed by the one above, with the wires between them.
struct Chain {
    std::vector<LayerId> layers;
    std::vector<Wire> wires;
};

Chain chainOf(const NeighbourhoodRequest& request) {
    const Network& network = networkAt(*request.design, request.path);
    const Sizes::Size& size = tokens().sizes.size;
    Chain chain{{request.layer}, {}};
    double height = size.nodeHeight;
    const auto add = [&](bool isUp) {
        const Wire* wire = wireAt(network, isUp ? chain.layers.front() : chain.layers.back(), isUp);
        if (wire == nullptr || height + gap + size.nodeCompact > request.height) {
            return false;
        }
        const LayerId next = (isUp ? wire->from : wire->to).layer;
        if (std::ranges::find(chain.layers, next) != chain.layers.end()) {
            return false;
        }
        chain.layers.insert(isUp ? chain.layers.begin() : chain.layers.end(), next);
        chain.wires.push_back(*wire);
        chain.wires.back().via.clear();
        height += gap + size.nodeCompact;
        return true;
    };
    // One layer above is enough, since it shows the collective at the input; changes of placement
    // spread further downwards.
    add(true);
    while (add(false)) {
    }
    return chain;
}

} // namespace

DisplayList neighbourhoodOf(const NeighbourhoodRequest& request) {
    if (!hasNetwork(*request.design, request.path) ||
        findLayer(networkAt(*request.design, request.path), request.layer) == nullptr) {
        return {};
    }
    const Sizes::Size& size = tokens().sizes.size;
    Design shown = *request.design;
    Network& network = networkAt(shown, request.path);
    const Chain chain = chainOf(request);
    Network alone;
    std::set<LayerId> collapsed;
    double top = 0;
    for (const LayerId id : chain.layers) {
        Layer layer = *findLayer(network, id);
        layer.position = Point{0, top};
        const bool isMeant = id == request.layer;
        top += gap + (isMeant ? size.nodeHeight : size.nodeCompact);
        if (!isMeant) {
            collapsed.insert(id);
        }
        alone.layers.push_back(std::move(layer));
    }
    alone.wires = chain.wires;
    network = std::move(alone);
    return buildDisplayList({.design = &shown,
                             .path = request.path,
                             .kinds = request.kinds,
                             .preview = request.preview,
                             .collapsed = collapsed});
}

} // namespace weft::ui
