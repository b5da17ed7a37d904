// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "design/document.h"
#include <weft/design_file.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace weft {

namespace {

// Nothing is left of a network but what computes.
void strip(Network& network, bool hasParameters) {
    network.frames.clear();
    network.comments.clear();
    for (Layer& layer : network.layers) {
        layer.position = {};
        layer.note.clear();
        layer.unknown.clear();
        if (!hasParameters) {
            // Without parameters in scope an expression is worth its value, however it is typed.
            std::erase_if(layer.expressions, [&](const auto& expression) {
                return layer.attributes.has(expression.first);
            });
        }
    }
    for (Wire& wire : network.wires) {
        wire.unknown.clear();
    }
    std::ranges::sort(network.wires, [](const Wire& a, const Wire& b) {
        return std::tie(a.to, a.from) < std::tie(b.to, b.from);
    });
}

} // namespace

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
