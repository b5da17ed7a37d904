// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "design/file/document.h"
#include <weft/design_file.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace weft {

namespace {

// Removes everything from a network that does not affect computation.
void strip(Network& network, bool hasParameters) {
    network.frames.clear();
    network.comments.clear();
    for (Layer& layer : network.layers) {
        layer.position.reset();
        layer.pinned = false;
        layer.note.clear();
        layer.unknown.clear();
        if (!hasParameters) {
            // Without parameters an expression counts as its value, however it is written.
            std::erase_if(layer.expressions, [&](const auto& expression) {
                return layer.attributes.has(expression.first);
            });
        }
    }
    for (Wire& wire : network.wires) {
        wire.via.clear();
        wire.unknown.clear();
    }
    std::ranges::sort(network.wires, [](const Wire& a, const Wire& b) {
        return std::tie(a.to, a.from) < std::tie(b.to, b.from);
    });
}

bool isSame(const Network& a, const Network& b) {
    const auto isSameLayer = [](const Layer& x, const Layer& y) {
        return x.id == y.id && x.name == y.name && computesTheSame(x, y);
    };
    const auto isSameWire = [](const Wire& x, const Wire& y) { return computesTheSame(x, y); };
    return std::ranges::equal(a.layers, b.layers, isSameLayer) &&
           std::ranges::equal(a.wires, b.wires, isSameWire);
}

bool isSame(const GroupDefinition& a, const GroupDefinition& b) {
    return a.name == b.name && isSame(a.network, b.network) && a.inputs == b.inputs &&
           a.outputs == b.outputs && a.parameters == b.parameters;
}

} // namespace

bool computesTheSame(const Layer& a, const Layer& b) {
    return a.kind == b.kind && a.group == b.group && a.repeat == b.repeat &&
           a.attributes == b.attributes && a.expressions == b.expressions && a.muted == b.muted &&
           a.bypassed == b.bypassed && a.assignment == b.assignment;
}

bool computesTheSame(const Wire& a, const Wire& b) {
    return a.from == b.from && a.to == b.to && a.scheme == b.scheme;
}

bool computesTheSame(const Design& a, const Design& b) {
    return a.version == b.version && isSame(a.network, b.network) &&
           std::ranges::equal(
               a.groups, b.groups,
               [](const GroupDefinition& x, const GroupDefinition& y) { return isSame(x, y); }) &&
           a.data == b.data && a.training == b.training && a.assignment == b.assignment &&
           std::ranges::equal(
               a.devices, b.devices, [](const DeviceDeclaration& x, const DeviceDeclaration& y) {
                   return x.name == y.name && x.cores == y.cores && x.sheet == y.sheet;
               });
}

std::uint64_t fingerprint(const Design& design) {
    Design bare = design;
    bare.name.clear();
    bare.note.clear();
    bare.unknown.clear();
    bare.data.unknown.clear();
    bare.training.unknown.clear();
    strip(bare.network, false);
    for (GroupDefinition& group : bare.groups) {
        group.unknown.clear();
        strip(group.network, true);
    }
    std::ranges::sort(bare.groups, {}, &GroupDefinition::name);
    for (DeviceDeclaration& device : bare.devices) {
        device.colour = -1;
        device.unknown.clear();
    }
    return hash64(jsonText(toJson(bare)));
}

} // namespace weft
