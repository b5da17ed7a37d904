// SPDX-License-Identifier: Apache-2.0
#include "lower/nearest_output.h"

#include "base/text/mending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

/// Returns the layer and all layers that are computed from it, or all that it is computed from.
std::unordered_set<LayerId> reachedFrom(const Network& network, LayerId first, bool isForwards) {
    std::unordered_map<LayerId, std::vector<LayerId>> next;
    for (const Wire& wire : network.wires) {
        const LayerId from = wire.from.layer;
        const LayerId to = wire.to.layer;
        next[isForwards ? from : to].push_back(isForwards ? to : from);
    }
    std::unordered_set<LayerId> found{first};
    std::vector<LayerId> open{first};
    while (!open.empty()) {
        const LayerId layer = open.back();
        open.pop_back();
        for (const LayerId reached : next[layer]) {
            if (found.insert(reached).second) {
                open.push_back(reached);
            }
        }
    }
    return found;
}

/// How well an output suits; the smallest is best. Data flows down the canvas, and forwards in a
/// file without positions.
using Rank = std::tuple<bool, bool, double>; // is it read, is it below the layer, its distance

Rank rankOf(bool isRead, const Layer& from, const Layer& to) {
    if (from.position && to.position) {
        const Point by{from.position->x - to.position->x, from.position->y - to.position->y};
        return {isRead, by.y > 0, std::hypot(by.x, by.y)};
    }
    return {isRead, &from > &to, static_cast<double>(std::abs(&from - &to))};
}

} // namespace

std::optional<Endpoint> nearestOutput(const NetworkIndex& index,
                                      const std::vector<LayerKindInfo>& kinds,
                                      const PortTable& ports, const Layer& layer,
                                      const PortInfo& port) {
    const Network& network = index.network();
    const auto isResultLayer = [&](const Layer& one) {
        const LayerKindInfo* const kind = findKind(kinds, one.kind);
        return kind != nullptr && isResult(*kind);
    };
    const std::unordered_set<LayerId> after = reachedFrom(network, layer.id, true);
    std::unordered_set<LayerId> read;
    std::unordered_set<LayerId> before;
    for (const Wire& wire : network.wires) {
        read.insert(wire.from.layer);
        if (wire.to.layer == layer.id) {
            before.insert(wire.from.layer);
        }
    }
    if (isResultLayer(layer)) {
        before =
            reachedFrom(network, layer.id, false); // a target is none of what gives the prediction
    }
    std::optional<std::pair<Rank, Endpoint>> best;
    for (const Layer& other : network.layers) {
        const LayerPorts* const known = ports.of(other);
        if (known == nullptr || known->outputs.empty() || other.muted || after.contains(other.id) ||
            before.contains(other.id) || !fits(typeOf(other, known->outputs.front()), port.type)) {
            continue;
        }
        const Rank rank = rankOf(read.contains(other.id), other, layer);
        if ((!best || rank < best->first) && !isResultLayer(other)) {
            const PortInfo& first = known->outputs.front();
            best = {rank, {other.id, first.variadic ? variadicPort(first.name, 0) : first.name}};
        }
    }
    return best ? std::optional(best->second) : std::nullopt;
}

Fix fixWithoutOutput(const std::string& input, PortType type, bool isInGroup) {
    if (isInGroup) {
        return {fmt::format("connect an output to {}", input), {}};
    }
    return fixBy(fmt::format("add an input layer for {}", input), "add_input",
                 {input, type == PortType::whole ? "i64" : "f32"});
}

} // namespace weft
