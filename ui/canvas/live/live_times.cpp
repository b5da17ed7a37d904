// SPDX-License-Identifier: Apache-2.0
#include "canvas/live/live_times.h"

#include "runs/layer_place.h"
#include "runs/run_owner.h"
#include "theme/quantity.h"

namespace weft::ui {

RunLayerMap::RunLayerMap(const Design& ran, const Design& shown, const NetworkPath& path)
    : runDesign_(ran), path_(path) {
    if (!hasNetwork(ran, path) || !hasNetwork(shown, path)) {
        return;
    }
    std::map<LayerId, const Layer*> before;
    for (const Layer& layer : networkAt(ran, path).layers) {
        before[layer.id] = &layer;
    }
    for (const Layer& layer : networkAt(shown, path).layers) {
        const auto found = before.find(layer.id);
        if (found != before.end() && found->second->kind == layer.kind) {
            isPast_[layer.id] = !isUnchangedSinceRun(*found->second, layer, ran, shown);
        }
    }
}

LayerId RunLayerMap::layerNamed(const std::string& name) {
    auto known = byName_.find(name);
    if (known == byName_.end()) {
        const LayerId place = hasNetwork(runDesign_, path_)
                                  ? enclosingLayer(runDesign_, name, path_).value_or(LayerId{})
                                  : LayerId{};
        known = byName_.emplace(name, place).first;
    }
    return known->second;
}

std::map<LayerId, LiveTime> RunLayerMap::times(const std::map<Origin, LayerTime>& sums) {
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
