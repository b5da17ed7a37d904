// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include <weft/error.h>
#include <weft/explain.h>
#include <weft/launch.h>
#include <weft/preview.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace weft {

namespace {

/// Describes the collective that sums over devices, and how often it runs. The collective also has
/// a row of its own.
std::string travelText(const SyncPreview& sync) {
    if (sync.name.empty()) {
        return "no communication";
    }
    return fmt::format("{} {} per device{}", sync.kind, toString(sync.sentPerDevice),
                       sync.steps == sync.period ? ""
                       : sync.steps == 1         ? ", each step"
                                                 : fmt::format(", once in {} steps", sync.steps));
}

std::string_view divisorOf(const SyncPreview& sync) {
    return sync.isCounted ? "count" : sync.updates > 1 ? "updates" : "";
}

std::string oftenText(const SyncPreview& sync) {
    std::string text =
        sync.period == 1 ? "each step" : fmt::format("once in {} steps", sync.period);
    if (sync.updates > 1) {
        text = fmt::format("once in {} updates", sync.updates);
        text += sync.period == sync.updates ? "" : fmt::format(", {} steps", sync.period);
    }
    return text + (sync.isLate ? ", one period late" : "");
}

/// Describes what a sync does with a layer's gradient, step by step.
std::string syncText(const LayerPreview& layer) {
    const SyncPreview& sync = *layer.sync;
    std::vector<std::string> parts{"dW over elements", travelText(sync)};
    if (const std::string_view divisor = divisorOf(sync); !divisor.empty()) {
        parts.push_back(divisor == "count" ? "divided by its count"
                                           : fmt::format("divided by {} updates", sync.updates));
    }
    parts.push_back("applied by " + sync.applies);
    if (!sync.renormalises.empty()) {
        parts.push_back("renormalised by " + sync.renormalises);
    }
    return fmt::format("{}; {}", fmt::join(parts, " -> "), oftenText(sync));
}

Json syncJson(const SyncPreview& sync) {
    return {{"collective", sync.name},
            {"kind", sync.kind},
            {"bytes_per_device", sync.sentPerDevice.count},
            {"nanoseconds", sync.step ? sync.step->time.count : 0},
            {"sent_every_steps", sync.steps},
            {"updates", sync.updates},
            {"period_steps", sync.period},
            {"late", sync.isLate},
            {"divided_by", divisorOf(sync)},
            {"applied_by", sync.applies},
            {"renormalised_by", sync.renormalises}};
}

std::string communicatorText(const CollectivePreview& collective) {
    if (!collective.communicator.empty()) {
        return " by " + collective.communicator;
    }
    return collective.whyHosts.empty() ? "" : " through the hosts: " + collective.whyHosts;
}

std::string asText(const Preview& preview) {
    std::string text;
    for (const LayerPreview& layer : preview.layers) {
        text += fmt::format("{:<28}", layer.name);
        for (const PortPreview& port : layer.outputs) {
            text += fmt::format(" {} {} {}", port.port, toString(port.shape), port.placement);
        }
        for (const ParameterPreview& parameter : layer.parameters) {
            text += fmt::format("  {} {} {}", parameter.name, toString(parameter.shape),
                                parameter.placement);
        }
        text += "\n";
    }
    for (const CollectivePreview& collective : preview.collectives) {
        text += fmt::format(
            "{:<14} {:<40} {} per device over {}{}{}\n", collective.kind, collective.name,
            toString(collective.sentPerDevice), collective.link,
            collective.rounds > 1 ? fmt::format(" in {} iterations", collective.rounds) : "",
            communicatorText(collective));
    }
    for (const LayerPreview& layer : preview.layers) {
        text += layer.sync ? fmt::format("{:<14} {:<40} {}\n", "sync", layer.name, syncText(layer))
                           : std::string();
    }
    if (preview.step->period > 1) {
        text += fmt::format("per step: the mean over a period of {}\n", preview.step->period);
    }
    for (const DevicePreview& device : preview.devices) {
        text += fmt::format("{:<10} memory: {} in a step, {} in a run; sends {} per step\n",
                            device.name, toString(device.step->holds()),
                            toString(device.run->takes), toString(device.sent));
    }
    return text;
}

/// Returns a sentence on planned devices that are not present; empty if all are.
std::string absentText(const Preview& preview) {
    std::string names;
    for (const DevicePreview& device : preview.devices) {
        names += device.isPresent ? "" : (names.empty() ? "" : ", ") + device.name;
    }
    return names.empty() ? names : "planned although not present on this machine: " + names + "\n";
}

/// Returns the problems that do not prevent a run.
std::vector<std::string> warningsOf(const Preview& preview) {
    std::vector<std::string> warnings;
    warnings.reserve(preview.problems.size());
    for (const Diagnostic& problem : preview.problems) {
        warnings.push_back(toString(problem));
    }
    return warnings;
}

Json asJson(const Preview& preview) {
    Json layers = Json::array();
    for (const LayerPreview& layer : preview.layers) {
        Json outputs = Json::array();
        for (const PortPreview& port : layer.outputs) {
            outputs.push_back(
                {{"port", port.port}, {"shape", port.shape}, {"placement", port.placement}});
        }
        Json parameters = Json::array();
        for (const ParameterPreview& parameter : layer.parameters) {
            parameters.push_back({{"name", parameter.name},
                                  {"shape", parameter.shape},
                                  {"placement", parameter.placement}});
        }
        layers.push_back({{"name", layer.name},
                          {"devices", layer.devices},
                          {"outputs", outputs},
                          {"parameters", parameters},
                          {"flops", layer.forward.count + layer.backward.count},
                          {"nanoseconds", layer.step ? layer.step->compute().count : 0}});
        if (layer.sync) {
            layers.back()["sync"] = syncJson(*layer.sync);
        }
    }
    Json collectives = Json::array();
    for (const CollectivePreview& collective : preview.collectives) {
        collectives.push_back(
            {{"kind", collective.kind},
             {"name", collective.name},
             {"wire", collective.wire},
             {"link", collective.link},
             {"rounds", collective.rounds},
             {"communicator", collective.communicator.empty() ? "host" : collective.communicator},
             {"why_hosts", collective.whyHosts},
             {"bytes_per_device", collective.sentPerDevice.count},
             {"nanoseconds", collective.step ? collective.step->time.count : 0}});
    }
    Json devices = Json::array();
    for (const DevicePreview& device : preview.devices) {
        devices.push_back({{"name", device.name},
                           {"step_bytes", device.step->holds().count},
                           {"run_bytes", device.run->takes.count},
                           {"sent_bytes", device.sent.count},
                           {"busy_nanoseconds", device.step->totals.compute.count}});
    }
    return Json{{"layers", layers},
                {"collectives", collectives},
                {"devices", devices},
                {"warnings", warningsOf(preview)},
                {"step_nanoseconds", preview.step->time.count},
                {"period_steps", preview.step->period}};
}

std::string dotName(const std::string& text) {
    std::string escaped = "\"";
    for (const char c : text) {
        escaped += c == '\n'               ? std::string("\\n")
                   : c == '"' || c == '\\' ? std::string("\\") + c
                                           : std::string(1, c);
    }
    return escaped + "\"";
}

/// Returns a Graphviz node for a layer's sync, and the edge from the layer.
std::string dotOf(const LayerPreview& layer) {
    const SyncPreview& sync = *layer.sync;
    const std::string name = dotName(layer.name + " sync");
    const std::string label =
        fmt::format("sync\n{}\n{}{}\n{}", travelText(sync), sync.applies,
                    sync.renormalises.empty() ? "" : ", " + sync.renormalises, oftenText(sync));
    return fmt::format("  {0} [shape=ellipse, label={1}];\n"
                       "  {2} -> {0} [dir=both, style=dashed];\n",
                       name, dotName(label), dotName(layer.name));
}

std::string asDot(const Design& design, const Preview& preview) {
    std::string text = "digraph plan {\n  node [shape=box];\n";
    for (const LayerPreview& layer : preview.layers) {
        const std::string placement = layer.outputs.empty() ? "" : layer.outputs.front().placement;
        text += fmt::format("  {} [label={}];\n", dotName(layer.name),
                            dotName(layer.name + "\n" + placement));
        text += layer.sync ? dotOf(layer) : std::string();
    }
    for (const Wire& wire : design.network.wires) {
        const Layer* from = findLayer(design.network, wire.from.layer);
        const Layer* to = findLayer(design.network, wire.to.layer);
        std::string label;
        for (const CollectivePreview& collective : preview.collectives) {
            if (from != nullptr && to != nullptr && collective.from.layer == from->id &&
                collective.to.layer == to->id && !collective.isBackward) {
                label = collective.kind + " " + toString(collective.sentPerDevice);
            }
        }
        if (from != nullptr && to != nullptr) {
            text += fmt::format("  {} -> {} [label={}];\n", dotName(from->name), dotName(to->name),
                                dotName(label));
        }
    }
    return text + "}\n";
}

} // namespace

std::string describePlan(const Design& design, const PlanRequest& request) {
    PreviewCache cache;
    if (request.hosts > request.ranks) {
        throw Error(
            ErrorCode::usage, {},
            fmt::format("{} hosts are more than {} ranks: every host needs at least one rank",
                        request.hosts, request.ranks),
            "set --ranks to at least the number of hosts");
    }
    // If the design names no device, every rank gets one.
    const PreviewRequest wanted{
        .devices = request.ranks == 1 ? request.devices
                                      : devicesOnRanks(design, request.devices, request.ranks),
        .machine = thisMachine(),
        .ranks = request.ranks,
        .hosts = request.hosts,
        .wantsLegal = false,
        .data = PreviewData{.folder = request.folder},
        .until = PreviewPart::run};
    const auto answer = preview(design, cache, wanted);
    const Preview& shown = *answer;
    refuseErrors(shown.problems);
    ensure(shown.step && shown.run, "a design without errors has a complete plan");
    switch (request.form) {
    case TextForm::json: {
        Json plan = asJson(shown);
        if (request.estimates) {
            plan["estimate"] = parseJson(jsonOf(shown), "estimate");
        }
        return jsonText(plan, 1) + "\n";
    }
    case TextForm::dot: return asDot(design, shown);
    case TextForm::text: break;
    }
    std::string text = asText(shown);
    text += request.estimates ? "\n" + print(shown) : absentText(shown);
    for (const std::string& warning : warningsOf(shown)) {
        text += warning + "\n";
    }
    return text;
}

} // namespace weft
