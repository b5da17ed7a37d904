// SPDX-License-Identifier: Apache-2.0
#include "lower/nearest_output.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace weft {

namespace {

PortType typeOf(const Layer& layer, const PortInfo& output) {
    const AttributeValue* const dtype = layer.attributes.find("dtype");
    const auto* const name = dtype == nullptr ? nullptr : std::get_if<std::string>(dtype);
    const auto known = name == nullptr ? std::nullopt : dtypeNamed(*name);
    return known && !isFloating(*known) ? PortType::whole : output.type;
}

bool fits(PortType given, PortType taken) {
    return taken == PortType::any || given == PortType::any || given == taken;
}

/// Returns the layer and all layers that are computed from it.
std::unordered_set<LayerId> computedFrom(const Network& network, LayerId first) {
    std::unordered_map<LayerId, std::vector<LayerId>> readers;
    for (const Wire& wire : network.wires) {
        readers[wire.from.layer].push_back(wire.to.layer);
    }
    std::unordered_set<LayerId> found{first};
    std::vector<LayerId> open{first};
    while (!open.empty()) {
        const LayerId layer = open.back();
        open.pop_back();
        for (const LayerId reader : readers[layer]) {
            if (found.insert(reader).second) {
                open.push_back(reader);
            }
        }
    }
    return found;
}

double distance(const Layer& from, const Layer& to) {
    return from.position && to.position
               ? std::hypot(from.position->x - to.position->x, from.position->y - to.position->y)
               : 0;
}

} // namespace

std::optional<Endpoint> nearestOutput(const NetworkIndex& index,
                                      const std::vector<LayerKindInfo>& kinds,
                                      const PortTable& ports, const Layer& layer,
                                      const PortInfo& port) {
    const Network& network = index.network();
    const std::unordered_set<LayerId> excluded = computedFrom(network, layer.id);
    std::unordered_set<LayerId> read;
    std::unordered_set<LayerId> own;
    for (const Wire& wire : network.wires) {
        read.insert(wire.from.layer);
        if (wire.to.layer == layer.id) {
            own.insert(wire.from.layer);
        }
    }
    const std::ptrdiff_t place = &layer - network.layers.data();
    using Rank = std::tuple<bool, double, bool, std::ptrdiff_t>; // the smallest is best
    std::optional<std::pair<Rank, Endpoint>> best;
    for (std::size_t k = 0; k < network.layers.size(); ++k) {
        const Layer& other = network.layers[k];
        const LayerPorts* const known = ports.of(other);
        const LayerKindInfo* const kind = findKind(kinds, other.kind);
        if (known == nullptr || known->outputs.empty() || other.muted ||
            (kind != nullptr && isResult(*kind)) || excluded.contains(other.id) ||
            own.contains(other.id) || !fits(typeOf(other, known->outputs.front()), port.type)) {
            continue;
        }
        const std::ptrdiff_t before = place - static_cast<std::ptrdiff_t>(k);
        const Rank rank{read.contains(other.id), distance(other, layer), before < 0,
                        std::abs(before)};
        if (!best || rank < best->first) {
            best = {rank, {other.id, known->outputs.front().name}};
        }
    }
    return best ? std::optional(best->second) : std::nullopt;
}

} // namespace weft
