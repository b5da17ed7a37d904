// SPDX-License-Identifier: Apache-2.0
#include "runs/run_owner.h"

#include <weft/design_file.h>
#include <weft/edits.h>

#include <algorithm>
#include <unordered_map>

namespace weft::ui {

bool isUnchangedSinceRun(const Layer& ran, const Layer& shown, const Design& before,
                         const Design& after) {
    if (!computesTheSame(ran, shown)) {
        return false;
    }
    const GroupDefinition* own = before.group(ran.group);
    const GroupDefinition* other = after.group(shown.group);
    if (own == nullptr || other == nullptr) {
        return own == other;
    }
    if (own->network.layers.size() != other->network.layers.size() ||
        !std::ranges::equal(
            own->network.wires, other->network.wires,
            [](const Wire& one, const Wire& twin) { return computesTheSame(one, twin); })) {
        return false;
    }
    return std::ranges::all_of(own->network.layers, [&](const Layer& inside) {
        const Layer* twin = findLayer(other->network, inside.id);
        return twin != nullptr && isUnchangedSinceRun(inside, *twin, before, after);
    });
}

bool hasMostLayersOfRun(const Design& ran, const Design& shown) {
    std::unordered_map<std::uint32_t, const Layer*> there;
    for (const Layer& layer : shown.network.layers) {
        there.emplace(layer.id.value, &layer);
    }
    const auto same = std::ranges::count_if(ran.network.layers, [&](const Layer& layer) {
        const auto found = there.find(layer.id.value);
        if (found == there.end()) {
            return false;
        }
        const Layer& twin = *found->second;
        return layer.name == twin.name && layer.kind == twin.kind && layer.group == twin.group &&
               layer.repeat == twin.repeat && layer.attributes == twin.attributes &&
               layer.expressions == twin.expressions;
    });
    return 2 * same > static_cast<std::ptrdiff_t>(ran.network.layers.size());
}

} // namespace weft::ui
