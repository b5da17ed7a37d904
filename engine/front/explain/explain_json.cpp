// SPDX-License-Identifier: Apache-2.0
#include "front/explain/explain_json.h"

#include "graph/op.h"
#include "schedule/memory/map_memory.h"
#include "schedule/memory/predict.h"

#include <nlohmann/json.hpp>

namespace weft {

namespace {

Json asJson(const Attributes& attributes) {
    Json made = Json::object();
    for (const auto& [name, value] : attributes.entries()) {
        std::visit([&made, &key = name](const auto& held) { made[key] = held; }, value);
    }
    return made;
}

template <class IdType>
Json numbersOf(const std::vector<IdType>& ids) {
    Json made = Json::array();
    for (const IdType id : ids) {
        made.push_back(id.value);
    }
    return made;
}

template <class Tag>
Json numberOf(Id<Tag> id) {
    return id.isNone() ? Json() : Json(id.value);
}

Json asJson(const std::vector<Buffer>& buffers) {
    Json made = Json::array();
    for (const Buffer& buffer : buffers) {
        made.push_back({{"arena", buffer.arena == ArenaKind::slot ? "slots" : "work"},
                        {"offset", buffer.offset},
                        {"bytes", buffer.size.count}});
    }
    return made;
}

Json slotsOf(const Graph& graph) {
    Json made = Json::array();
    for (const Slot& slot : graph.slots) {
        made.push_back({{"name", slot.name},
                        {"kind", nameOf(slot.kind)},
                        {"dtype", nameOf(slot.dtype)},
                        {"shape", slot.shape},
                        {"value", numberOf(slot.value)},
                        {"next", numberOf(slot.next)}});
    }
    return made;
}

} // namespace

Json asJson(const Graph& graph) {
    Json values = Json::array();
    for (const Value& value : graph.values) {
        values.push_back(
            {{"name", value.name}, {"dtype", nameOf(value.dtype)}, {"shape", value.shape}});
    }
    Json nodes = Json::array();
    Json ops = Json::object();
    for (const Node& node : graph.nodes) {
        ops[node.op->name] = node.op->help;
        nodes.push_back({{"op", node.op->name},
                         {"layer", graph.layerName(node.origin)},
                         {"pass", nameOf(node.pass)},
                         {"role", node.role},
                         {"attributes", asJson(node.attributes)},
                         {"inputs", numbersOf(node.inputs)},
                         {"outputs", numbersOf(node.outputs)}});
        if (node.body) {
            nodes.back()["body"] = asJson(*node.body);
        }
    }
    Json feeds = Json::array();
    for (const Feed& feed : graph.feeds) {
        feeds.push_back({{"name", feed.name}, {"value", numberOf(feed.value)}});
    }
    Json results = Json::array();
    for (const Result& result : graph.results) {
        results.push_back({{"name", result.name}, {"value", numberOf(result.value)}});
    }
    return {{"name", graph.name},      {"values", values}, {"ops", ops},        {"nodes", nodes},
            {"slots", slotsOf(graph)}, {"feeds", feeds},   {"results", results}};
}

Json asJson(const Plan& plan) {
    Json meshes = Json::array();
    for (const Mesh& mesh : plan.meshes) {
        meshes.push_back({{"devices", numbersOf(mesh.devices)}, {"extents", mesh.shape}});
    }
    Json values = Json::array();
    for (const Placed& placed : plan.values) {
        const Value& value = plan.graph->at(placed.value);
        values.push_back({{"value", placed.value.value},
                          {"name", value.name},
                          {"shape", value.shape},
                          {"mesh", numberOf(placed.mesh)},
                          {"placement", toString(placed.placements)}});
    }
    Json nodes = Json::array();
    for (const PlanNode& node : plan.nodes) {
        Json made{{"inputs", numbersOf(node.inputs)}, {"outputs", numbersOf(node.outputs)}};
        if (node.node.isNone()) {
            made["collective"] = nameOf(node.collective);
            made["name"] = node.name;
            made["elements_sent"] = elementsSent(plan, node);
        } else {
            made["op"] = plan.graph->at(node.node).op->name;
            made["layer"] = plan.graph->layerName(plan.graph->at(node.node).origin);
            made["split"] = node.letters;
            if (node.body) {
                made["body"] = asJson(*node.body);
            }
        }
        nodes.push_back(std::move(made));
    }
    return {{"devices", plan.devices}, {"meshes", meshes}, {"values", values}, {"nodes", nodes}};
}

namespace {

/// Returns the JSON key for the steps inside a repeat or a host fallback.
const char* keyOf(const StepBody& rounds) { return rounds.isHostFallback ? "on_host" : "rounds"; }

Json kernelsJson(const StepBody& rounds) {
    Json steps = Json::array();
    for (const BodyStep& step : rounds.steps) {
        steps.push_back({{"step", step.name}, {"implementation", step.implementation}});
        if (step.rounds) {
            steps.back()[keyOf(*step.rounds)] = kernelsJson(*step.rounds);
        }
    }
    return steps;
}

Json stepsJson(const StepBody& rounds) {
    Json steps = Json::array();
    for (std::size_t k = 0; k < rounds.steps.size(); ++k) {
        const BodyStep& step = rounds.steps[k];
        steps.push_back({{"name", step.name},
                         {"runs", rounds.kernels.kernels[k].runs()},
                         {"predicted_ns", step.predicted.count},
                         {"flops", step.flops.count},
                         {"bytes", step.traffic.count}});
        if (step.rounds) {
            steps.back()[keyOf(*step.rounds)] = stepsJson(*step.rounds);
        }
    }
    return steps;
}

} // namespace

Json kernelsJson(const Program& program) {
    Json steps = Json::array();
    for (const Step& step : program.steps) {
        if (!step.implementation.empty()) {
            steps.push_back({{"step", step.name}, {"implementation", step.implementation}});
            if (step.rounds) {
                steps.back()[keyOf(*step.rounds)] = kernelsJson(*step.rounds);
            }
        }
    }
    return {{"device", program.plan->devices[program.device.value]},
            {"member", program.member},
            {"kernels", steps},
            {"refusals", program.refusals}};
}

Json memoryJson(const Program& program) {
    const MemoryPeak peak = peakOf(program);
    Json shares = Json::array();
    for (const PeakShare& share : peak.shares) {
        shares.push_back({{"layer", share.layer}, {"bytes", share.bytes.count}});
    }
    const MemoryMap map = mapMemory(program);
    Json blocks = Json::array();
    for (const MemoryBlock& block : map.blocks) {
        blocks.push_back({{"name", block.name},
                          {"layer", block.layer},
                          {"kind", nameOf(block.kind)},
                          {"offset", block.offset},
                          {"bytes", block.bytes.count},
                          {"first_step", block.first},
                          {"last_step", block.last}});
    }
    return {{"device", program.plan->devices[program.device.value]},
            {"member", program.member},
            {"slots_bytes", program.slotSize.count},
            {"work_bytes", program.workSize.count},
            {"peak",
             {{"step", peak.step < 0 ? std::string()
                                     : program.steps[static_cast<std::size_t>(peak.step)].name},
              {"bytes", peak.alive.count},
              {"shares", shares}}},
            {"blocks", blocks}};
}

Json programJson(const Program& program) {
    Json streams = Json::array();
    for (const StreamPlan& stream : program.streams) {
        streams.push_back({{"name", stream.name},
                           {"cores", stream.cores},
                           {"communicates", stream.communicates}});
    }
    Json steps = Json::array();
    for (const Step& step : program.steps) {
        Json waits = Json::array();
        for (const StepWait& wait : step.waits) {
            waits.push_back({{"stream", wait.stream}, {"count", wait.count}});
        }
        steps.push_back({{"name", step.name},
                         {"kind", step.kind == StepKind::collective ? "collective"
                                  : step.kind == StepKind::copy     ? "copy"
                                                                    : "compute"},
                         {"layer", program.plan->graph->layerName(step.origin)},
                         {"stream", step.stream},
                         {"position", step.position},
                         {"waits", waits},
                         {"inputs", asJson(step.inputs)},
                         {"outputs", asJson(step.outputs)},
                         {"predicted_ns", step.predicted.count},
                         {"flops", step.flops.count},
                         {"bytes", step.traffic.count}});
        if (step.count > 1) {
            steps.back()["count"] = step.count;
        }
        if (step.rounds) {
            steps.back()[keyOf(*step.rounds)] = stepsJson(*step.rounds);
        }
    }
    return {{"device", program.plan->devices[program.device.value]},
            {"member", program.member},
            {"slots_bytes", program.slotSize.count},
            {"work_bytes", program.workSize.count},
            {"streams", streams},
            {"steps", steps}};
}

} // namespace weft
