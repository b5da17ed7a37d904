// SPDX-License-Identifier: Apache-2.0
// A run's profile laid beside the estimate of its own design on its own devices. Layers are met by
// their origin; where devices differ, the one that spends most speaks for the layer.
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/estimate.h>
#include <weft/runs.h>

#include <algorithm>
#include <map>

namespace weft {

namespace {

struct Measured {
    std::map<DeviceId, std::int64_t> compute;
    std::map<DeviceId, std::int64_t> communicate;
    std::map<DeviceId, std::int64_t> wait;
};

std::int64_t largest(const std::map<DeviceId, std::int64_t>& times) {
    std::int64_t most = 0;
    for (const auto& [device, time] : times) {
        most = std::max(most, time);
    }
    return most;
}

/// Seconds of a training step, in the middle of all: the first ones warm up.
Nanoseconds middleStep(const std::filesystem::path& folder) {
    RunReader reader(folder);
    std::vector<float> seconds;
    for (bool isMore = true; isMore;) {
        const RunNews news = reader.read();
        for (const StepRecord& step : news.steps) {
            if (step.split == Split::train) {
                seconds.push_back(step.seconds);
            }
        }
        isMore = news.isMore;
    }
    if (seconds.empty()) {
        return {};
    }
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return {static_cast<std::int64_t>(static_cast<double>(*middle) * 1e9)};
}

} // namespace

Comparison compareRun(const std::filesystem::path& folder) {
    const Run run = openRun(folder);
    if (run.profile.entries.empty() || run.attempts.empty()) {
        throw Error(ErrorCode::format, Where{.file = folder.string()},
                    "the run measured no step to compare",
                    "let it run until its first second has passed");
    }
    const Design design = loadDesign(folder / "design.weft", catalogue()).design;
    const Attempt& attempt = run.attempts.back();
    const Estimate predicted = estimate(
        design, {.devices = attempt.devices, .ranks = attempt.ranks, .hosts = attempt.hosts});
    std::map<Origin, Measured> measured;
    std::map<DeviceId, std::int64_t> waits;
    for (const ProfileEntry& entry : run.profile.entries) {
        Measured& of = measured[entry.origin];
        auto& ofKind = entry.kind == SpanKind::communicate ? of.communicate
                       : entry.kind == SpanKind::wait      ? of.wait
                                                           : of.compute;
        ofKind[entry.device] += entry.perStep().count;
        waits[entry.device] += entry.kind == SpanKind::wait ? entry.perStep().count : 0;
    }
    Comparison made{.run = folder.filename().string(),
                    .predicted = predicted.step,
                    .measured = middleStep(folder),
                    .waiting = {largest(waits)},
                    .band = predicted.stepBand,
                    .layers = {}};
    for (const LayerEstimate& layer : predicted.layers) {
        const Measured& of = measured[layer.origin];
        made.layers.push_back({.origin = layer.origin,
                               .name = layer.name,
                               .predicted = layer.compute(),
                               .measured = {largest(of.compute)},
                               .band = layer.computeBand,
                               .predictedCommunication = layer.communicate,
                               .measuredCommunication = {largest(of.communicate)},
                               .measuredWaiting = {largest(of.wait)}});
    }
    return made;
}

} // namespace weft
