// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_sums.h"

#include <algorithm>

namespace weft::ui {

void LayerSums::clear() { *this = LayerSums(); }

void LayerSums::add(std::span<const RunProfile> profile) {
    for (const RunProfile& one : profile) {
        if (one.attempt > attempt_) {
            clear();
            attempt_ = one.attempt;
        }
        const ProfileEntry& entry = one.entry;
        if (one.attempt < attempt_ || entry.kind == SpanKind::wait) {
            continue;
        }
        names_[entry.origin] = entry.layer;
        Sum& sum = sums_[{entry.origin, entry.device, entry.pass, entry.kind}];
        if (one.time != sum.reportedAt) {
            sum.latestSteps = 0;
            sum.latestTime = 0;
            sum.reportedAt = one.time;
        }
        sum.steps += entry.steps;
        sum.time += entry.time.count;
        sum.latestSteps += entry.steps;
        sum.latestTime += entry.time.count;
    }
}

std::map<Origin, LayerTime> LayerSums::timesByLayer(bool isLatest) const {
    std::map<std::pair<Origin, DeviceId>, LayerTime> byDevice;
    for (const auto& [key, sum] : sums_) {
        const std::int64_t steps = isLatest ? sum.latestSteps : sum.steps;
        const Nanoseconds time{steps > 0 ? (isLatest ? sum.latestTime : sum.time) / steps : 0};
        LayerTime& layer = byDevice[{key.origin, key.device}];
        if (key.kind == SpanKind::communicate) {
            layer.communicate += time;
            continue;
        }
        switch (key.pass) {
        case Pass::forward:
        case Pass::metric: layer.forward += time; break;
        case Pass::backward: layer.backward += time; break;
        case Pass::update: layer.update += time; break;
        }
    }
    std::map<Origin, LayerTime> layers;
    for (auto& [place, time] : byDevice) {
        LayerTime& most = layers[place.first];
        if (most.layer.empty() ||
            time.compute() + time.communicate > most.compute() + most.communicate) {
            most = time;
            most.layer = names_.at(place.first);
        }
    }
    return layers;
}

std::map<Origin, LayerTime> LayerSums::mean() const { return timesByLayer(false); }
std::map<Origin, LayerTime> LayerSums::latest() const { return timesByLayer(true); }

} // namespace weft::ui
