// SPDX-License-Identifier: Apache-2.0
// Compares a run's profile with the preview of its design on the same devices. Layers are matched
// by origin; if devices differ, the slowest device counts for the layer.
#include <weft/catalogue.h>
#include <weft/comparison.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/preview.h>
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

} // namespace

Comparison compareRun(const std::filesystem::path& folder) {
    const Run run = openRun(folder);
    if (run.profile.entries.empty() || run.attempts.empty()) {
        throw Error(ErrorCode::format, Where{.file = folder.string()},
                    "the run recorded the times of no step",
                    "let the run continue for at least a second");
    }
    const Design design = loadDesign(folder / "design.weft", catalogue()).design;
    const Attempt& attempt = run.attempts.back();
    if (std::string why = whyUnpredicted(beginOf(folder), attempt.devices); !why.empty()) {
        throw Error(ErrorCode::usage, Where{.file = folder.string()}, std::move(why),
                    "compare a run that was started without the option --backend");
    }
    PreviewCache cache;
    const auto predicted = preview(design, cache,
                                   {.devices = attempt.devices,
                                    .machine = machineOf(folder),
                                    .ranks = attempt.ranks,
                                    .hosts = attempt.hosts,
                                    .wantsLegal = false,
                                    .until = PreviewPart::step});
    refuseErrors(predicted->problems);
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
                    .predicted = predicted->step->time,
                    .measured = run.summary.figures.value_or(RunFigures()).step,
                    .waiting = {largest(waits)},
                    .band = predicted->step->band,
                    .layers = {}};
    for (const LayerPreview& layer : predicted->layers) {
        const Measured& of = measured[layer.origin];
        const LayerStep step = layer.step.value_or(LayerStep{});
        made.layers.push_back({.origin = layer.origin,
                               .name = layer.name,
                               .predicted = step.compute(),
                               .measured = {largest(of.compute)},
                               .band = step.computeBand,
                               .predictedCommunication = step.communicate,
                               .measuredCommunication = {largest(of.communicate)},
                               .measuredWaiting = {largest(of.wait)}});
    }
    return made;
}

} // namespace weft
