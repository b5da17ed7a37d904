// SPDX-License-Identifier: Apache-2.0
// Prints a preview's step and run as tables and as JSON.
#include "base/text/json.h"
#include "base/text/text.h"
#include "front/explain/time_text.h"
#include <weft/preview.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace weft {

namespace {

constexpr Align right = Align::right;

std::string shareText(Nanoseconds part, Nanoseconds whole) {
    return whole.count == 0 ? ""
                            : fmt::format("{:.0f} %", 100 * static_cast<double>(part.count) /
                                                          static_cast<double>(whole.count));
}

std::string layersText(const Preview& preview) {
    TextTable table({{"layer"},
                     {"forward", right},
                     {"backward", right},
                     {"update", right},
                     {"communicate", right},
                     {"computes within", right},
                     {"of the step", right}});
    for (const LayerPreview& layer : preview.layers) {
        const LayerStep step = layer.step.value_or(LayerStep{});
        table.addRow({layer.name, timeText(step.forward), timeText(step.backward),
                      timeText(step.update), timeText(step.communicate), bandText(step.computeBand),
                      shareText(step.compute(), preview.step->time)});
    }
    return table.text();
}

/// Returns the repeats that run as a single step, each once, with their time.
std::vector<std::pair<const SpanSite*, Nanoseconds>> repeatsOf(const Timeline& timeline) {
    std::vector<std::pair<const SpanSite*, Nanoseconds>> repeats;
    for (const TimelineSpan& span : timeline.spans) {
        const SpanSite& site = timeline.siteOf(span);
        const bool isKnown = std::ranges::any_of(repeats, [&](const auto& repeat) {
            return repeat.first->origin == site.origin && repeat.first->pass == site.pass &&
                   repeat.first->op == site.op && repeat.first->rounds == site.rounds;
        });
        if (site.rounds > 1 && !isKnown) {
            repeats.emplace_back(&site, span.duration);
        }
    }
    return repeats;
}

std::string repeatsText(const Preview& preview) {
    std::string text;
    for (const auto& [site, time] : repeatsOf(*preview.step->timeline)) {
        text += fmt::format("{}{}, {}: {}\n", text.empty() ? "\n" : "", site->layer,
                            nameOf(site->pass), roundsText(site->rounds, time));
    }
    return text;
}

std::string collectivesText(const Preview& preview) {
    if (preview.collectives.empty()) {
        return {};
    }
    TextTable table({{"wire or gradient"},
                     {"by"},
                     {"over"},
                     {"sent per device", right},
                     {"time", right},
                     {"hidden", right}});
    for (const CollectivePreview& one : preview.collectives) {
        const CollectiveStep step = one.step.value_or(CollectiveStep{});
        table.addRow(
            {one.rounds > 1 ? fmt::format("{}, {} iterations", one.name, one.rounds) : one.name,
             one.communicator.empty() ? one.kind : one.kind + ", " + one.communicator, one.link,
             toString(one.sentPerDevice), toString(step.time), shareText(step.hidden, step.time)});
    }
    return "\n" + table.text();
}

std::string devicesText(const Preview& preview) {
    TextTable table({{"device"},
                     {"computes", right},
                     {"communicates", right},
                     {"of it hidden", right},
                     {"waits", right},
                     {"idle", right},
                     {"kept", right},
                     {"work at its peak", right},
                     {"a run takes", right},
                     {"of", right}});
    for (const DevicePreview& device : preview.devices) {
        const DeviceStep& step = *device.step;
        table.addRow({device.name, toString(step.totals.compute), toString(step.totals.communicate),
                      shareText(step.totals.overlapped, step.totals.communicate),
                      toString(step.totals.waiting), toString(step.totals.idle),
                      toString(step.kept), toString(step.work),
                      device.run ? toString(device.run->takes) : "",
                      device.available.count > 0 ? toString(device.available) : ""});
    }
    return "\n" + table.text();
}

std::string peakText(const DevicePreview& device) {
    constexpr std::size_t most = 5;
    const DeviceStep& step = *device.step;
    std::string text = fmt::format("\n{} has its memory peak at {}:", device.name, step.peakAt);
    for (std::size_t k = 0; k < std::min(most, step.peak.size()); ++k) {
        text += fmt::format("{} {} of {}", k == 0 ? "" : ",", toString(step.peak[k].bytes),
                            step.peak[k].layer.empty() ? "the step" : step.peak[k].layer);
    }
    const auto held = step.memory->heldAt(step.memory->peakStep);
    text += fmt::format("\n  {} then:", toString(step.memory->peak));
    for (std::size_t kind = 0; kind < blockKinds; ++kind) {
        text += fmt::format("{} {} {}", kind == 0 ? "" : ",", toString(held.at(kind)),
                            nameOf(static_cast<BlockKind>(kind)));
    }
    if (device.overflows()) {
        const MemoryBlock* first = step.memory->overflow();
        const bool isAlone = device.run->together == device.run->takes;
        text += fmt::format("\n{}{} has {}, but a run needs {}{}", device.name,
                            isAlone ? "" : ", with the devices that share its memory,",
                            toString(device.available), toString(device.run->together),
                            first == nullptr ? "" : ", which it first exceeds at " + first->name);
    }
    return text;
}

std::string runText(const Preview& preview) {
    std::string text = fmt::format("a run prepares {}", fmt::join(preview.run->members, ", "));
    if (!preview.run->isDataKnown) {
        text += "; its data was not found, so that a short last batch is not considered";
    }
    return text + "\n";
}

Json asJson(const DevicePreview& device) {
    const DeviceStep& step = *device.step;
    Json peak = Json::array();
    for (const PeakPart& part : step.peak) {
        peak.push_back({{"layer", part.layer}, {"bytes", part.bytes.count}});
    }
    Json byKind = Json::object();
    const auto held = step.memory->heldAt(step.memory->peakStep);
    for (std::size_t kind = 0; kind < blockKinds; ++kind) {
        byKind[std::string(nameOf(static_cast<BlockKind>(kind)))] = held.at(kind).count;
    }
    const MemoryBlock* overflow = device.overflows() ? step.memory->overflow() : nullptr;
    Json made{{"name", device.name},
              {"model", device.model},
              {"present", device.isPresent},
              {"kernels", step.hasKernels},
              {"compute_ns", step.totals.compute.count},
              {"communicate_ns", step.totals.communicate.count},
              {"hidden_ns", step.totals.overlapped.count},
              {"waiting_ns", step.totals.waiting.count},
              {"idle_ns", step.totals.idle.count},
              {"kept_bytes", step.kept.count},
              {"work_bytes", step.work.count},
              {"available_bytes", device.available.count},
              {"peak_at", step.peakAt},
              {"peak", peak},
              {"peak_bytes", step.memory->peak.count},
              {"peak_by_kind", std::move(byKind)},
              {"overflows_at", overflow == nullptr ? std::string() : overflow->name}};
    if (device.run) {
        made["run_bytes"] = device.run->takes.count;
        made["run_largest"] = device.run->largest;
        made["observed_bytes"] = device.run->observed.count;
        made["together_bytes"] = device.run->together.count;
    }
    return made;
}

} // namespace

std::string print(const Preview& preview) {
    if (!preview.step) {
        return {};
    }
    std::string text = layersText(preview) + repeatsText(preview) + collectivesText(preview) +
                       devicesText(preview);
    for (const DevicePreview& device : preview.devices) {
        text += peakText(device);
    }
    text += "\n";
    for (const DevicePreview& device : preview.devices) {
        if (!device.isPresent) {
            text +=
                fmt::format("{} is not present on this machine: estimated as {}{}\n", device.name,
                            device.model.empty() ? "one core of a server, unless the design sets "
                                                   "its data sheet (weft devices --sheets)"
                                                 : device.model,
                            device.step->hasKernels
                                ? ""
                                : "; this build has no kernels for it, so that no ops are fused");
        }
    }
    text += preview.run ? runText(preview) : "";
    if (preview.step->period > 1) {
        text += fmt::format("steps differ: times and bytes sent are means over a period of {}; "
                            "memory and timeline are those of \"{}\", the longest step\n",
                            preview.step->period, preview.step->shown);
    }
    text += fmt::format("a step takes about {}", toString(preview.step->time));
    if (preview.step->band.isKnown()) {
        text += ", given the spread of the rates: " + bandText(preview.step->band);
    }
    return text + "\n";
}

std::string jsonOf(const Preview& preview) {
    if (!preview.step) {
        return "{}\n";
    }
    Json layers = Json::array();
    for (const LayerPreview& layer : preview.layers) {
        const LayerStep step = layer.step.value_or(LayerStep{});
        layers.push_back({{"name", layer.name},
                          {"forward_ns", step.forward.count},
                          {"backward_ns", step.backward.count},
                          {"update_ns", step.update.count},
                          {"communicate_ns", step.communicate.count},
                          {"compute_low_ns", step.computeBand.low.count},
                          {"compute_high_ns", step.computeBand.high.count}});
    }
    Json repeats = Json::array();
    for (const auto& [site, time] : repeatsOf(*preview.step->timeline)) {
        repeats.push_back({{"layer", site->layer},
                           {"pass", nameOf(site->pass)},
                           {"rounds", site->rounds},
                           {"time_ns", time.count}});
    }
    Json wires = Json::array();
    for (const CollectivePreview& one : preview.collectives) {
        const CollectiveStep step = one.step.value_or(CollectiveStep{});
        wires.push_back({{"name", one.name},
                         {"kind", one.kind},
                         {"link", one.link},
                         {"rounds", one.rounds},
                         {"communicator", one.communicator.empty() ? "host" : one.communicator},
                         {"sent_bytes", one.sentPerDevice.count},
                         {"time_ns", step.time.count},
                         {"hidden_ns", step.hidden.count}});
    }
    Json devices = Json::array();
    for (const DevicePreview& device : preview.devices) {
        devices.push_back(asJson(device));
    }
    return jsonText(Json{{"step_ns", preview.step->time.count},
                         {"period_steps", preview.step->period},
                         {"shown", preview.step->shown},
                         {"step_low_ns", preview.step->band.low.count},
                         {"step_high_ns", preview.step->band.high.count},
                         {"layers", layers},
                         {"repeats", repeats},
                         {"wires", wires},
                         {"devices", devices}},
                    1) +
           "\n";
}

} // namespace weft
