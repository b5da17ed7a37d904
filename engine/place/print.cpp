// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"
#include "place/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

std::string placedText(const Plan& plan, PlacedId id) {
    const Placed& placed = plan.at(id);
    const Value& value = plan.valueOf(id);
    return fmt::format("#{}{} {} [{}]", id.value, value.name.empty() ? "" : " " + value.name,
                       toString(value.shape), toString(placed.placements));
}

std::string listText(const Plan& plan, const std::vector<PlacedId>& list) {
    std::string text;
    for (const PlacedId id : list) {
        text += (text.empty() ? "" : ", ") + placedText(plan, id);
    }
    return text;
}

std::string opText(const Plan& plan, const PlanNode& planned) {
    const Node& node = plan.graph->at(planned.node);
    std::string letters;
    for (const std::string& letter : planned.letters) {
        letters += (letters.empty() ? "" : " ") + (letter.empty() ? std::string("-") : letter);
    }
    const std::string& layer = plan.graph->layerName(node.origin);
    return fmt::format("{} = {}({}) over {} on mesh {}  # {}{}", listText(plan, planned.outputs),
                       node.op->name, listText(plan, planned.inputs), letters, planned.mesh.value,
                       nameOf(node.pass), layer.empty() ? "" : " of " + layer);
}

std::string collectiveText(const Plan& plan, const PlanNode& node) {
    std::string text;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        text +=
            fmt::format("{}{} to [{}] #{}", k == 0 ? "" : ", ", placedText(plan, node.inputs[k]),
                        toString(plan.at(node.outputs[k]).placements), node.outputs[k].value);
    }
    const auto sent = elementsSent(plan, node);
    const std::int64_t most = sent.empty() ? 0 : std::ranges::max(sent);
    const auto size = static_cast<std::int64_t>(byteSize(plan.valueOf(node.inputs.front()).dtype));
    const std::string moved = isLocal(node.collective)
                                  ? std::string("no communication")
                                  : fmt::format("sends {}", toString(Bytes{most * size}));
    return fmt::format("{} \"{}\": {} on mesh {}, {}", nameOf(node.collective), node.name, text,
                       node.mesh.value, moved);
}

} // namespace

namespace {

std::string nodesText(const Plan& plan, const std::string& indent) {
    std::string text;
    for (const PlanNode& node : plan.nodes) {
        text +=
            indent + (node.node.isNone() ? collectiveText(plan, node) : opText(plan, node)) + "\n";
        if (node.body) {
            text += fmt::format("{}  each iteration: {}\n", indent,
                                listText(*node.body, node.body->feeds));
            text += nodesText(*node.body, indent + "    ");
            text += fmt::format("{}  makes {}\n", indent, listText(*node.body, node.body->results));
        }
    }
    return text;
}

} // namespace

std::string print(const Plan& plan) {
    std::string text = fmt::format("plan {}\n", plan.graph->name);
    for (std::size_t k = 0; k < plan.meshes.size(); ++k) {
        const Mesh& mesh = plan.meshes[k];
        std::string devices;
        for (const DeviceId id : mesh.devices) {
            devices += " " + plan.devices[id.value];
        }
        text += fmt::format("  mesh {} {}:{}\n", k, toString(mesh.shape), devices);
    }
    for (std::size_t k = 0; k < plan.feeds.size(); ++k) {
        text += fmt::format("  feed {}: {} on mesh {}\n", plan.graph->feeds[k].name,
                            placedText(plan, plan.feeds[k]), plan.at(plan.feeds[k]).mesh.value);
    }
    for (const SlotHome& home : plan.slots) {
        text += fmt::format("  slot {}: {} on mesh {}{}\n", plan.graph->at(home.slot).name,
                            placedText(plan, home.home), plan.at(home.home).mesh.value,
                            home.next.isNone() ? "" : fmt::format(" <- #{}", home.next.value));
    }
    text += nodesText(plan, "  ");
    for (std::size_t k = 0; k < plan.results.size(); ++k) {
        text += fmt::format("  result {}: {}\n", plan.graph->results[k].name,
                            placedText(plan, plan.results[k]));
    }
    return text;
}

} // namespace weft
