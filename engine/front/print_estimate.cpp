// SPDX-License-Identifier: Apache-2.0
// Estimates and comparisons as tables and as JSON.
#include "base/json.h"
#include "base/text.h"
#include <weft/estimate.h>

#include <fmt/format.h>
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

std::string timeText(Nanoseconds time) { return time.count == 0 ? "" : toString(time); }

/// "1.00 ms to 1.50 ms", where it is known.
std::string bandText(const TimeBand& band) {
    return band.isKnown() ? toString(band.low) + " to " + toString(band.high) : "";
}

std::string layersText(const Estimate& estimate) {
    TextTable table({{"layer"},
                     {"forward", right},
                     {"backward", right},
                     {"update", right},
                     {"communicate", right},
                     {"computes within", right},
                     {"of the step", right}});
    for (const LayerEstimate& layer : estimate.layers) {
        table.addRow({layer.name, timeText(layer.forward), timeText(layer.backward),
                      timeText(layer.update), timeText(layer.communicate),
                      bandText(layer.computeBand), shareText(layer.compute(), estimate.step)});
    }
    return table.text();
}

std::string wiresText(const Estimate& estimate) {
    if (estimate.wires.empty()) {
        return {};
    }
    TextTable table(
        {{"wire or gradient"}, {"by"}, {"sent", right}, {"time", right}, {"hidden", right}});
    for (const WireEstimate& wire : estimate.wires) {
        table.addRow({wire.name, wire.kind, toString(wire.sent), toString(wire.time),
                      shareText(wire.hidden, wire.time)});
    }
    return "\n" + table.text();
}

std::string devicesText(const Estimate& estimate) {
    TextTable table({{"device"},
                     {"computes", right},
                     {"communicates", right},
                     {"of it hidden", right},
                     {"waits", right},
                     {"idle", right},
                     {"kept", right},
                     {"work at its peak", right},
                     {"of", right}});
    for (const DeviceEstimate& device : estimate.devices) {
        table.addRow(
            {device.name, toString(device.totals.compute), toString(device.totals.communicate),
             shareText(device.totals.overlapped, device.totals.communicate),
             toString(device.totals.waiting), toString(device.totals.idle), toString(device.kept),
             toString(device.work), device.available.count > 0 ? toString(device.available) : ""});
    }
    return "\n" + table.text();
}

std::string peaksText(const Estimate& estimate) {
    constexpr std::size_t most = 5;
    std::string text;
    for (const DeviceEstimate& device : estimate.devices) {
        text += fmt::format("\n{} holds most at {}:", device.name, device.peakAt);
        for (std::size_t k = 0; k < std::min(most, device.peak.size()); ++k) {
            text += fmt::format("{} {} of {}", k == 0 ? "" : ",", toString(device.peak[k].bytes),
                                device.peak[k].layer.empty() ? "the step" : device.peak[k].layer);
        }
        const auto held = device.memory.heldAt(device.memory.peakStep);
        text += fmt::format("\n  {} then:", toString(device.memory.peak));
        for (std::size_t kind = 0; kind < blockKinds; ++kind) {
            text += fmt::format("{} {} {}", kind == 0 ? "" : ",", toString(held.at(kind)),
                                nameOf(static_cast<BlockKind>(kind)));
        }
        if (device.available.count > 0 && device.together > device.available) {
            const MemoryBlock* overflow = device.memory.overflow();
            const bool isAlone = device.together == device.kept + device.work;
            text +=
                fmt::format("\n{}{} has {} and needs {}{}", device.name,
                            isAlone ? "" : ", with the others of its host,",
                            toString(device.available), toString(device.together),
                            overflow == nullptr ? "" : ", first beyond it at " + overflow->name);
        }
    }
    return text + "\n";
}

Json asJson(const DeviceEstimate& device) {
    Json peak = Json::array();
    for (const PeakPart& part : device.peak) {
        peak.push_back({{"layer", part.layer}, {"bytes", part.bytes.count}});
    }
    Json byKind = Json::object();
    const auto held = device.memory.heldAt(device.memory.peakStep);
    for (std::size_t kind = 0; kind < blockKinds; ++kind) {
        byKind[std::string(nameOf(static_cast<BlockKind>(kind)))] = held.at(kind).count;
    }
    const MemoryBlock* overflow = device.memory.overflow();
    return {{"name", device.name},
            {"model", device.model},
            {"present", device.isPresent},
            {"kernels", device.hasKernels},
            {"compute_ns", device.totals.compute.count},
            {"communicate_ns", device.totals.communicate.count},
            {"hidden_ns", device.totals.overlapped.count},
            {"waiting_ns", device.totals.waiting.count},
            {"idle_ns", device.totals.idle.count},
            {"kept_bytes", device.kept.count},
            {"work_bytes", device.work.count},
            {"available_bytes", device.available.count},
            {"together_bytes", device.together.count},
            {"peak_at", device.peakAt},
            {"peak", peak},
            {"peak_bytes", device.memory.peak.count},
            {"peak_by_kind", std::move(byKind)},
            {"overflows_at", overflow == nullptr ? std::string() : overflow->name}};
}

std::string ratioText(Nanoseconds predicted, Nanoseconds measured) {
    return predicted.count == 0 || measured.count == 0
               ? ""
               : fmt::format("{:.2f}", static_cast<double>(measured.count) /
                                           static_cast<double>(predicted.count));
}

} // namespace

std::string print(const Estimate& estimate) {
    std::string text =
        layersText(estimate) + wiresText(estimate) + devicesText(estimate) + peaksText(estimate);
    for (const DeviceEstimate& device : estimate.devices) {
        if (!device.isPresent) {
            text += fmt::format("{} is not on this machine: priced as {}{}\n", device.name,
                                device.model.empty() ? "one core of a server" : device.model,
                                device.hasKernels
                                    ? ""
                                    : "; this build has no kernels for it, so nothing is grouped");
        }
    }
    text += fmt::format("a step takes about {}", toString(estimate.step));
    if (estimate.stepBand.isKnown()) {
        text += ", by the spread of the rates " + bandText(estimate.stepBand);
    }
    return text + "\n";
}

std::string jsonOf(const Estimate& estimate) {
    Json layers = Json::array();
    for (const LayerEstimate& layer : estimate.layers) {
        layers.push_back({{"name", layer.name},
                          {"forward_ns", layer.forward.count},
                          {"backward_ns", layer.backward.count},
                          {"update_ns", layer.update.count},
                          {"communicate_ns", layer.communicate.count},
                          {"compute_low_ns", layer.computeBand.low.count},
                          {"compute_high_ns", layer.computeBand.high.count}});
    }
    Json wires = Json::array();
    for (const WireEstimate& wire : estimate.wires) {
        wires.push_back({{"name", wire.name},
                         {"kind", wire.kind},
                         {"sent_bytes", wire.sent.count},
                         {"time_ns", wire.time.count},
                         {"hidden_ns", wire.hidden.count}});
    }
    Json devices = Json::array();
    for (const DeviceEstimate& device : estimate.devices) {
        devices.push_back(asJson(device));
    }
    return jsonText(Json{{"step_ns", estimate.step.count},
                         {"step_low_ns", estimate.stepBand.low.count},
                         {"step_high_ns", estimate.stepBand.high.count},
                         {"layers", layers},
                         {"wires", wires},
                         {"devices", devices}},
                    1) +
           "\n";
}

std::string print(const Comparison& comparison) {
    TextTable table({{"layer"},
                     {"computes, predicted", right},
                     {"within", right},
                     {"measured", right},
                     {"ratio", right},
                     {"communicates, predicted", right},
                     {"measured", right},
                     {"waited", right}});
    for (const LayerComparison& layer : comparison.layers) {
        table.addRow({layer.name, timeText(layer.predicted), bandText(layer.band),
                      timeText(layer.measured), ratioText(layer.predicted, layer.measured),
                      timeText(layer.predictedCommunication), timeText(layer.measuredCommunication),
                      timeText(layer.measuredWaiting)});
    }
    return table.text() +
           fmt::format("\na step: predicted {}{}, measured {}{}\n", toString(comparison.predicted),
                       comparison.band.isKnown() ? " (" + bandText(comparison.band) + ")" : "",
                       toString(comparison.measured),
                       comparison.predicted.count == 0 || comparison.measured.count == 0
                           ? ""
                           : ", ratio " + ratioText(comparison.predicted, comparison.measured)) +
           (comparison.waiting.count > 0
                ? fmt::format("in it the device that waits most waits {} for the others\n",
                              toString(comparison.waiting))
                : "");
}

std::string jsonOf(const Comparison& comparison) {
    Json layers = Json::array();
    for (const LayerComparison& layer : comparison.layers) {
        layers.push_back({{"name", layer.name},
                          {"predicted_ns", layer.predicted.count},
                          {"predicted_low_ns", layer.band.low.count},
                          {"predicted_high_ns", layer.band.high.count},
                          {"measured_ns", layer.measured.count},
                          {"predicted_communication_ns", layer.predictedCommunication.count},
                          {"measured_communication_ns", layer.measuredCommunication.count},
                          {"measured_waiting_ns", layer.measuredWaiting.count}});
    }
    return jsonText(Json{{"run", comparison.run},
                         {"predicted_step_ns", comparison.predicted.count},
                         {"predicted_step_low_ns", comparison.band.low.count},
                         {"predicted_step_high_ns", comparison.band.high.count},
                         {"measured_step_ns", comparison.measured.count},
                         {"measured_waiting_ns", comparison.waiting.count},
                         {"layers", layers}},
                    1) +
           "\n";
}

} // namespace weft
