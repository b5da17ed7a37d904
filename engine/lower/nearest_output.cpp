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

/// How well an output suits; the smallest is best. Data flows down the canvas, and forwards in a
/// file without positions.
using Rank = std::tuple<bool, bool, double>; // it is read, it is below the layer, its distance

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
    const std::unordered_set<LayerId> excluded = computedFrom(network, layer.id);
    std::unordered_set<LayerId> read;
    std::unordered_set<LayerId> own;
    for (const Wire& wire : network.wires) {
        read.insert(wire.from.layer);
        if (wire.to.layer == layer.id) {
            own.insert(wire.from.layer);
        }
    }
    std::optional<std::pair<Rank, Endpoint>> best;
    for (const Layer& other : network.layers) {
        const LayerPorts* const known = ports.of(other);
        const LayerKindInfo* const kind = findKind(kinds, other.kind);
        if (known == nullptr || known->outputs.empty() || other.muted ||
            (kind != nullptr && isResult(*kind)) || excluded.contains(other.id) ||
            own.contains(other.id) || !fits(typeOf(other, known->outputs.front()), port.type)) {
            continue;
        }
        const Rank rank = rankOf(read.contains(other.id), other, layer);
        if (!best || rank < best->first) {
            best = {rank, {other.id, known->outputs.front().name}};
        }
    }
    return best ? std::optional(best->second) : std::nullopt;
}

Fix fixWithoutOutput(const std::string& input, PortType type, bool isInGroup) {
    if (isInGroup) {
        return {fmt::format("connect an output to {}", input), {}};
    }
    const bool isWhole = type == PortType::whole;
    return fixBy(
        fmt::format("add an input layer {}for {}", isWhole ? "of whole numbers " : "", input),
        "add_input", {input, isWhole ? "i64" : "f32"});
}

} // namespace weft
