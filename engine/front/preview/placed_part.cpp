// SPDX-License-Identifier: Apache-2.0
#include "front/preview/placed_part.h"

#include "front/preview/collective_rows.h"
#include "graph/op.h"
#include "place/place_tables.h"
#include "transform/training_step.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

namespace weft {

namespace {

constexpr Flops notWorkedOut{-1};

class PlacedPart {
public:
    PlacedPart(const Study& studied, std::size_t which, PlacedPartCache& memory)
        : studied_(studied), which_(which), memory_(memory) {
        if (memory_.tables != studied_.tables) {
            memory_ = {.tables = studied_.tables, .flops = {}, .sent = {}, .held = {}};
        }
    }

    Preview run() {
        preview_.problems = studied_.problems;
        preview_.planned = studied_.planned;
        addLayers();
        for (const std::string& device : studied_.devices) {
            preview_.devices.push_back({.name = device});
        }
        if (studied_.plan) {
            showPlan(*studied_.steps[which_].plan);
            preview_.isComplete = !hasErrors(studied_.problems);
        }
        return std::move(preview_);
    }

private:
    void addLayers() {
        const auto& expanded = studied_.expanded.layers;
        preview_.layers.reserve(expanded.size());
        for (const ExpandedLayer& layer : expanded) {
            byOrigin_[layer.origin] = preview_.layers.size();
            preview_.layers.push_back({.origin = layer.origin, .name = layer.name});
        }
        const Graph& graph = *studied_.lowered.graph;
        for (const LayerOutputs& layer : studied_.lowered.outputs) {
            for (const auto& [port, id] : layer.ports) {
                const Value& value = graph.at(id);
                rowOf(layer.origin)->outputs.push_back({port, value.dtype, value.shape, {}});
            }
        }
        for (const Node& node : graph.nodes) {
            LayerPreview* of = hasNetworkPerElement(node) ? rowOf(node.origin) : nullptr;
            if (of != nullptr) {
                of->hasNetworkPerElement = true;
            }
        }
        for (const Slot& slot : graph.slots) {
            LayerPreview* of = slot.kind == SlotKind::parameter ? rowOf(slot.origin) : nullptr;
            if (of != nullptr) {
                of->parameters.push_back({slot.name, slot.shape, {}});
            }
        }
        for (std::size_t k = 0; k < expanded.size(); ++k) {
            addInputs(expanded[k], preview_.layers[k]);
        }
    }

    /// Adds a layer's inputs, without placements: placeInputs() sets them.
    void addInputs(const ExpandedLayer& layer, LayerPreview& row) {
        for (const ExpandedInput& input : layer.inputs) {
            const auto& made = preview_.layers[input.from].outputs;
            const auto port = std::ranges::find(made, input.fromPort, &PortPreview::port);
            if (port != made.end()) {
                row.inputs.push_back({input.port, port->dtype, port->shape, {}});
            }
        }
    }

    /// Returns nullptr for ops of no layer.
    LayerPreview* rowOf(Origin origin) {
        const auto found = byOrigin_.find(origin);
        return found == byOrigin_.end() ? nullptr : &preview_.layers[found->second];
    }

    void showPlan(const Plan& plan) {
        byNode_.assign(plan.nodes.size(), nullptr);
        for (const WireTraffic& traffic : plan.traffic) {
            byNode_[traffic.node.value] = &traffic;
        }
        for (const PlanNode& node : plan.nodes) {
            if (!node.node.isNone()) {
                addCompute(plan, node);
            }
        }
        for (const CollectiveRow& row : collectiveRows(plan)) {
            addCollective(plan, row);
        }
        for (const SlotHome& home : plan.slots) {
            addSlot(plan, home);
        }
        addSyncs(plan);
        placeOutputs(plan);
        placeInputs(plan);
        for (const auto& [origin, words] : studied_.legal) {
            if (LayerPreview* of = rowOf(origin)) {
                of->legal = *words;
            }
        }
    }

    /// Sets the placements in which layers compute their outputs, before any change for consumers.
    void placeOutputs(const Plan& plan) {
        std::vector<PlacedId> made(plan.graph->values.size());
        for (std::uint32_t p = 0; p < plan.values.size(); ++p) {
            const Placed& placed = plan.values[p];
            const bool isMade = placed.producer.isNone() || !plan.at(placed.producer).node.isNone();
            PlacedId& first = made[placed.value.value];
            first = isMade && first.isNone() ? PlacedId{p} : first;
        }
        for (const LayerOutputs& layer : studied_.sound.outputs) {
            LayerPreview& of = *rowOf(layer.origin);
            const Mesh* mesh = nullptr;
            for (std::size_t k = 0; k < layer.ports.size(); ++k) {
                if (const PlacedId id = made[layer.ports[k].second.value]; !id.isNone()) {
                    of.outputs[k].placement = toString(plan.at(id).placements);
                    of.outputs[k].bytes = bytesHeld(plan, id);
                    mesh = &plan.at(plan.at(id).mesh);
                }
            }
            if (mesh != nullptr) {
                for (const DeviceId device : mesh->devices) {
                    of.devices.push_back(studied_.devices[device.value]);
                }
                of.mesh = mesh->shape;
            }
        }
    }

    /// Sets the placements in which the layer's own forward ops read their inputs.
    void placeInputs(const Plan& plan) {
        std::map<std::pair<Origin, ValueId>, PlacedId> read;
        for (const PlanNode& planned : plan.nodes) {
            if (planned.node.isNone()) {
                continue;
            }
            const Node& node = plan.graph->at(planned.node);
            for (const PlacedId id : planned.inputs) {
                const NodeId producer = plan.valueOf(id).producer;
                const bool comesIn =
                    producer.isNone() || plan.graph->at(producer).origin != node.origin;
                if (comesIn && node.pass != Pass::backward && node.pass != Pass::update) {
                    read.try_emplace({node.origin, plan.at(id).value}, id);
                }
            }
        }
        std::map<std::pair<Origin, std::string>, ValueId> made;
        for (const LayerOutputs& layer : studied_.sound.outputs) {
            for (const auto& [port, value] : layer.ports) {
                made[{layer.origin, port}] = value;
            }
        }
        const auto& expanded = studied_.expanded.layers;
        for (std::size_t k = 0; k < expanded.size(); ++k) {
            for (const ExpandedInput& input : expanded[k].inputs) {
                const auto value = made.find({expanded[input.from].origin, input.fromPort});
                const auto id = value == made.end()
                                    ? read.end()
                                    : read.find({expanded[k].origin, value->second});
                auto& ports = preview_.layers[k].inputs;
                const auto port = std::ranges::find(ports, input.port, &PortPreview::port);
                if (id != read.end() && port != ports.end()) {
                    port->placement = toString(plan.at(id->second).placements);
                    port->bytes = bytesHeld(plan, id->second);
                }
            }
        }
    }

    [[nodiscard]] Flops flopsFor(const Plan& plan, const PlanNode& planned) {
        const Node& node = plan.graph->at(planned.node);
        if (planned.alike == std::numeric_limits<std::uint32_t>::max()) {
            return flopsOf(*plan.graph, node);
        }
        if (planned.alike >= memory_.flops.size()) {
            memory_.flops.resize(studied_.tables->computationNumbers.size(), notWorkedOut);
        }
        Flops& known = memory_.flops[planned.alike];
        if (known == notWorkedOut) {
            known = flopsOf(*plan.graph, node);
        }
        return known;
    }

    void addCompute(const Plan& plan, const PlanNode& planned) {
        const Node& node = plan.graph->at(planned.node);
        if (LayerPreview* of = rowOf(node.origin)) {
            const bool isForward = node.pass == Pass::forward || node.pass == Pass::metric;
            (isForward ? of->forward : of->backward) += flopsFor(plan, planned);
        }
    }

    void addCollective(const Plan& plan, const CollectiveRow& row) {
        const PlanNode& node = row.plan->at(row.node);
        const WireTraffic* traffic = row.plan == &plan ? byNode_[row.node.value] : nullptr;
        CollectivePreview& made = preview_.collectives.emplace_back();
        made.name = node.name;
        made.kind = nameOf(node.collective);
        made.from = traffic == nullptr ? node.origin : traffic->from;
        made.to = traffic == nullptr ? node.origin : traffic->to;
        made.wire = traffic == nullptr ? "" : traffic->wire;
        made.isBackward = traffic != nullptr && traffic->isBackward;
        made.rounds = row.rounds;
        sent_.assign(plan.devices.size(), 0);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            std::ranges::transform(sent_, sentFor(*row.plan, node, k), sent_.begin(), std::plus{});
        }
        const auto size =
            static_cast<std::int64_t>(byteSize(row.plan->valueOf(node.inputs.front()).dtype));
        for (std::size_t d = 0; d < sent_.size(); ++d) {
            const Bytes bytes{sent_[d] * size * row.rounds};
            preview_.devices[d].sent += bytes;
            preview_.sent += bytes;
            made.sentPerDevice = std::max(made.sentPerDevice, bytes);
        }
    }

    /// Adds each layer's sync in this kind of step: the collective, and the ops of the update.
    void addSyncs(const Plan& plan) {
        const TrainingSettings& training = studied_.training;
        std::map<std::string, std::vector<std::pair<PlanNodeId, std::size_t>>> byWire;
        std::map<PlanNodeId, std::size_t> places;
        for (const WireTraffic& traffic : plan.traffic) {
            // The k-th traffic of a bucket is that of its k-th value.
            byWire[traffic.wire].emplace_back(traffic.node, places[traffic.node]++);
        }
        std::map<Origin, std::vector<const Node*>> updates;
        for (const Node& node : plan.graph->nodes) {
            if (node.pass == Pass::update) {
                updates[node.origin].push_back(&node);
            }
        }
        for (LayerPreview& layer : preview_.layers) {
            if (layer.parameters.empty()) {
                continue;
            }
            SyncPreview sync{.updates = training.syncEvery,
                             .period = stepsOfPeriod(training),
                             .isLate = appliesOnePeriodLate(training)};
            findUpdate(updates[layer.origin], sync);
            const bool isPlain = !accumulatesGradients(training) && training.updatePeriod == 1;
            if (isPlain && sync.renormalises.empty()) {
                continue;
            }
            for (const ParameterPreview& parameter : layer.parameters) {
                for (const char* what : {" sync", " gradient"}) {
                    const auto found = byWire.find(parameter.name + what);
                    for (std::size_t k = 0; found != byWire.end() && k < found->second.size();
                         ++k) {
                        addSent(plan, found->second[k], sync);
                    }
                }
            }
            layer.sync = std::move(sync);
        }
    }
    void addSent(const Plan& plan, std::pair<PlanNodeId, std::size_t> at, SyncPreview& sync) {
        const PlanNode& node = plan.at(at.first);
        if (isLocal(node.collective)) {
            return;
        }
        if (sync.name.empty()) {
            sync.name = node.name;
            sync.kind = nameOf(node.collective);
        }
        const auto size = byteSize(plan.valueOf(node.inputs[at.second]).dtype);
        sync.sentPerDevice += Bytes{std::ranges::max(sentFor(plan, node, at.second)) *
                                    static_cast<std::int64_t>(size)};
    }
    /// Finds the op that applies the update (it has an input `rate`) and the op that then
    /// renormalises the result. `updates` are the layer's update nodes in order.
    static void findUpdate(const std::vector<const Node*>& updates, SyncPreview& sync) {
        ValueId applied;
        for (const Node* node : updates) {
            const auto names = [&](const char* name) {
                return std::ranges::find(node->op->inputs, name, &OpInput::name) !=
                       node->op->inputs.end();
            };
            if (names("rate")) {
                sync.applies = node->op->name;
                sync.isCounted = names("count");
                applied = node->outputs.front();
            } else if (!applied.isNone() && node->op->inputs.size() == 1 &&
                       std::ranges::find(node->inputs, applied) != node->inputs.end()) {
                sync.renormalises = node->op->name;
            }
        }
    }

    const std::vector<std::int64_t>& sentFor(const Plan& plan, const PlanNode& node,
                                             std::size_t k) {
        if (&plan != studied_.steps[which_].plan.get()) {
            inRounds_ =
                elementsSent(plan, node, k); // not cached: plans of bodies have other sharding ids
            return inRounds_;
        }
        const Placed& source = plan.at(node.inputs[k]);
        std::vector<std::int64_t>& known = memory_.sent[{source.type.value, source.sharding.value,
                                                         plan.at(node.outputs[k]).sharding.value}];
        if (known.empty()) {
            known = elementsSent(plan, node, k);
        }
        return known;
    }

    /// Returns the bytes of a value on the device that holds most of it.
    [[nodiscard]] Bytes bytesHeld(const Plan& plan, PlacedId id) {
        const Placed& placed = plan.at(id);
        const auto [at, isNew] =
            memory_.held.try_emplace({placed.type.value, placed.sharding.value}, Bytes{});
        if (isNew) {
            const Value& value = plan.valueOf(id);
            const Mesh& mesh = plan.at(placed.mesh);
            std::int64_t most = 0;
            for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
                most =
                    std::max(most, boxOf(value.shape, mesh, placed.placements, member).elements());
            }
            at->second = {most * static_cast<std::int64_t>(byteSize(value.dtype))};
        }
        return at->second;
    }

    void addSlot(const Plan& plan, const SlotHome& home) {
        const Slot& slot = plan.graph->at(home.slot);
        LayerPreview* of = rowOf(slot.origin);
        if (of == nullptr) {
            return;
        }
        const Bytes bytes = bytesHeld(plan, home.home);
        of->parameterBytes += bytes;
        if (slot.kind == SlotKind::parameter) {
            ParameterPreview& row =
                *std::ranges::find(of->parameters, slot.name, &ParameterPreview::name);
            row.placement = toString(plan.at(home.home).placements);
            row.bytes = bytes;
        }
    }

    const Study& studied_;
    std::size_t which_;
    PlacedPartCache& memory_;
    Preview preview_;
    std::unordered_map<Origin, std::size_t> byOrigin_;
    std::vector<const WireTraffic*> byNode_; ///< indexed by PlanNodeId
    std::vector<std::int64_t> sent_;         ///< elements that each device sends in one collective
    /// Elements that each device sends for one value of a collective in a body.
    std::vector<std::int64_t> inRounds_;
};

} // namespace

Preview placedPart(const Study& studied, std::size_t which, PlacedPartCache& memory) {
    return PlacedPart(studied, which, memory).run();
}

} // namespace weft
