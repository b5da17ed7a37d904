// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/live_times.h"

#include "session/layer_place.h"
#include "theme/quantity.h"
#include <weft/design_file.h>

#include <algorithm>

namespace weft::ui {

namespace {

/// Whether it computes what it did, and all that is inside it.
bool isSame(const Layer& ran, const Layer& shown, const Design& before, const Design& after) {
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
        return twin != nullptr && isSame(inside, *twin, before, after);
    });
}

} // namespace

LiveSites::LiveSites(const Design& ran, const Design& shown, const NetworkPath& path)
    : ran_(ran), path_(path) {
    if (!hasNetwork(ran, path) || !hasNetwork(shown, path)) {
        return;
    }
    std::map<LayerId, const Layer*> before;
    for (const Layer& layer : networkAt(ran, path).layers) {
        before[layer.id] = &layer;
    }
    for (const Layer& layer : networkAt(shown, path).layers) {
        const auto found = before.find(layer.id);
        if (found != before.end()) {
            isPast_[layer.id] = !isSame(*found->second, layer, ran, shown);
        }
    }
}

LayerId LiveSites::layerNamed(const std::string& name) {
    auto known = byName_.find(name);
    if (known == byName_.end()) {
        const LayerId place = hasNetwork(ran_, path_)
                                  ? placeWithin(ran_, name, path_).value_or(LayerId{})
                                  : LayerId{};
        known = byName_.emplace(name, place).first;
    }
    return known->second;
}

std::map<LayerId, LiveTime> LiveSites::times(const std::map<Origin, LayerTime>& sums) {
    std::map<LayerId, LiveTime> times;
    for (const auto& [origin, sum] : sums) {
        const LayerId layer = layerNamed(sum.layer);
        const auto past = isPast_.find(layer);
        const double seconds = quantity::seconds(sum.compute());
        if (past != isPast_.end() && seconds > 0) {
            LiveTime& time = times[layer];
            time.seconds += seconds;
            time.isPast = past->second;
        }
    }
    return times;
}

} // namespace weft::ui
