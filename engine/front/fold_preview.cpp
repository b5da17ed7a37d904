// SPDX-License-Identifier: Apache-2.0
#include "front/fold_preview.h"

#include "front/device_sheets.h"
#include "front/find_overflow.h"
#include "graph/node_kinds.h"
#include "schedule/price.h"

#include <algorithm>
#include <unordered_map>

namespace weft {

namespace {

/// What each member of its mesh holds of a placed value.
struct Held {
    bool isKnown = false;
    std::int64_t whole = 1;
    std::int64_t elementBytes = 4;
    std::vector<std::int64_t> elements = {}; ///< by member
};

class Fold {
public:
    Fold(Study& studied, const Design& design, const PreviewRequest& request)
        : studied_(studied),
          sheets_(sheetsFor(design, studied.devices, request.machine)),
          request_(request),
          design_(design) {}

    Preview run() {
        preview_.problems = studied_.problems;
        addLayers();
        for (const DeviceSheet& sheet : sheets_) {
            preview_.devices.push_back(
                {.name = sheet.name, .available = sheet.memory, .isPresent = sheet.isPresent});
        }
        if (studied_.plan) {
            placeAll(*studied_.plan);
            preview_.isComplete = !hasErrors(studied_.problems);
            findOverflow(preview_, design_);
        }
        return std::move(preview_);
    }

private:
    void addLayers() {
        const auto& expanded = studied_.expanded.layers;
        preview_.layers.reserve(expanded.size());
        byOrigin_.reserve(expanded.size());
        for (const ExpandedLayer& layer : expanded) {
            byOrigin_[keyOf(layer.origin)] = preview_.layers.size();
            preview_.layers.push_back({.origin = layer.origin, .name = layer.name});
        }
        const Graph& graph = studied_.graph();
        for (const auto& [key, value] : studied_.lowered.values) {
            if (LayerPreview* of = layer(key.first)) {
                const Value& described = graph.at(value);
                of->outputs.push_back({key.second, described.dtype, described.shape, {}});
            }
        }
        for (const Slot& slot : graph.slots) {
            LayerPreview* of = slot.kind == SlotKind::parameter ? layer(slot.origin) : nullptr;
            if (of != nullptr) {
                of->parameters.push_back({slot.name, slot.shape, {}});
            }
        }
    }

    static std::uint64_t keyOf(Origin origin) {
        return std::uint64_t{origin.layer.value} << 32U | origin.instance;
    }

    LayerPreview* layer(Origin origin) {
        if (!lastOf_ || *lastOf_ != origin) { // nodes of a layer stand together
            const auto found = byOrigin_.find(keyOf(origin));
            last_ = found == byOrigin_.end() ? nullptr : &preview_.layers[found->second];
            lastOf_ = origin;
        }
        return last_;
    }

    void placeAll(const Plan& plan) {
        busy_.assign(studied_.devices.size(), Nanoseconds{});
        held_.resize(plan.values.size());
        byNode_.assign(plan.nodes.size(), nullptr);
        for (const WireTraffic& traffic : plan.traffic) {
            byNode_[traffic.node.value] = &traffic;
        }
        for (const PlanNode& node : plan.nodes) {
            node.node.isNone() ? addCollective(plan, node) : addCompute(plan, node);
        }
        for (const SlotHome& home : plan.slots) {
            addSlot(plan, home);
        }
        for (std::size_t d = 0; d < busy_.size(); ++d) {
            preview_.devices[d].busy = busy_[d];
            preview_.step = std::max(preview_.step, busy_[d] + communication_);
        }
        nameOutputs(plan);
        addLegal();
        nameLargest();
    }

    const Held& heldOf(const Plan& plan, PlacedId id) {
        Held& held = held_[id.value];
        if (held.isKnown) {
            return held;
        }
        held.isKnown = true;
        const Placed& placed = plan.at(id);
        const Value& value = plan.graph->at(placed.value);
        const Mesh& mesh = plan.at(placed.mesh);
        held.whole = elementsOf(value.shape);
        held.elementBytes = static_cast<std::int64_t>(byteSize(value.dtype));
        held.elements.assign(mesh.devices.size(), held.whole);
        if (std::ranges::any_of(placed.placements, &Placement::isSplit)) {
            for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
                held.elements[member] =
                    boxOf(value.shape, mesh, placed.placements, member).elements();
            }
        }
        return held;
    }

    /// An operand may lie on another mesh than the node's: then the node's member is looked up.
    std::int64_t elementsOn(const Plan& plan, PlacedId id, MeshId mesh, std::size_t member) {
        const Held& held = heldOf(plan, id);
        if (plan.at(id).mesh == mesh) {
            return held.elements[member];
        }
        const int at = plan.memberOf(plan.at(id).mesh, plan.at(mesh).devices[member]);
        return at < 0 ? 0 : held.elements[static_cast<std::size_t>(at)];
    }

    Flops flopsOf(const Graph& graph, const Node& node) {
        if (!node.op->cost) {
            return {};
        }
        const std::uint32_t kind = kinds_.of(graph, node);
        if (kind < flops_.size()) {
            return flops_[kind];
        }
        signature_.attributes = node.attributes;
        signature_.inputs.clear();
        signature_.outputs.clear();
        for (const ValueId id : node.inputs) {
            signature_.inputs.push_back({graph.at(id).dtype, graph.at(id).shape});
        }
        for (const ValueId id : node.outputs) {
            signature_.outputs.push_back({graph.at(id).dtype, graph.at(id).shape});
        }
        return flops_.emplace_back(node.op->cost(signature_));
    }

    void addCompute(const Plan& plan, const PlanNode& planned) {
        const Graph& graph = *plan.graph;
        const Node& node = graph.at(planned.node);
        const Flops flops = flopsOf(graph, node);
        LayerPreview* of = layer(node.origin);
        if (of != nullptr) {
            (node.pass == Pass::forward ? of->forward : of->backward) += flops;
        }
        const Mesh& mesh = plan.at(planned.mesh);
        Nanoseconds longest;
        for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
            const DeviceId device = mesh.devices[member];
            const Nanoseconds time = timeOn(plan, planned, member, flops);
            busy_[device.value] += time;
            longest = std::max(longest, time);
            if (node.pass != Pass::forward) {
                continue;
            }
            for (const PlacedId output : planned.outputs) {
                const Bytes bytes{elementsOn(plan, output, planned.mesh, member) *
                                  heldOf(plan, output).elementBytes};
                preview_.devices[device.value].activations += bytes;
                if (of != nullptr && member == 0) {
                    of->activationBytes += bytes;
                }
            }
        }
        if (of != nullptr) {
            of->compute += longest;
        }
    }

    Nanoseconds timeOn(const Plan& plan, const PlanNode& planned, std::size_t member, Flops flops) {
        double share = 1;
        std::int64_t traffic = 0;
        for (const auto* list : {&planned.inputs, &planned.outputs}) {
            for (const PlacedId id : *list) {
                const std::int64_t held = elementsOn(plan, id, planned.mesh, member);
                const Held& of = heldOf(plan, id);
                const auto whole = static_cast<double>(std::max<std::int64_t>(1, of.whole));
                share = std::min(share, static_cast<double>(held) / whole);
                traffic += held * of.elementBytes;
            }
        }
        const DeviceId device = plan.at(planned.mesh).devices[member];
        return computeTime(sheets_[device.value], plan.graph->at(planned.node).op->name,
                           {static_cast<std::int64_t>(static_cast<double>(flops.count) * share)},
                           {traffic});
    }

    void addCollective(const Plan& plan, const PlanNode& node) {
        if (isLocal(node.collective)) {
            return;
        }
        CollectivePreview made{.name = node.name,
                               .kind = std::string(nameOf(node.collective)),
                               .from = node.origin,
                               .to = node.origin};
        if (const WireTraffic* traffic =
                byNode_[static_cast<std::size_t>(&node - plan.nodes.data())]) {
            made.from = traffic->from;
            made.to = traffic->to;
            made.wire = traffic->wire;
            made.isBackward = traffic->isBackward;
        }
        const auto size =
            static_cast<std::int64_t>(byteSize(plan.valueOf(node.inputs.front()).dtype));
        const std::vector<std::int64_t> sent = elementsSent(plan, node);
        for (std::size_t d = 0; d < sent.size(); ++d) {
            const Bytes bytes{sent[d] * size};
            preview_.devices[d].sent += bytes;
            preview_.sent += bytes;
            made.sentPerDevice = std::max(made.sentPerDevice, bytes);
        }
        const int rounds = node.collective == CollectiveKind::allReduce ? 2 : 1;
        made.predicted =
            communicationTime(request_.machine.withinProcess, made.sentPerDevice, rounds);
        communication_ += made.predicted;
        if (LayerPreview* of = layer(node.origin)) {
            of->communicate += made.predicted;
        }
        preview_.collectives.push_back(std::move(made));
    }

    void addSlot(const Plan& plan, const SlotHome& home) {
        const Slot& slot = plan.graph->at(home.slot);
        const Placed& placed = plan.at(home.home);
        const Held& held = heldOf(plan, home.home);
        const Mesh& mesh = plan.at(placed.mesh);
        LayerPreview* of = layer(slot.origin);
        for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
            const Bytes bytes{held.elements[member] * held.elementBytes};
            preview_.devices[mesh.devices[member].value].parameters += bytes;
            if (of != nullptr && member == 0) {
                of->parameterBytes += bytes;
            }
        }
        if (of != nullptr && slot.kind == SlotKind::parameter) {
            const auto parameter =
                std::ranges::find(of->parameters, slot.name, &ParameterPreview::name);
            if (parameter != of->parameters.end()) {
                parameter->placement = textOf(placed.placements);
            }
        }
    }

    /// Most lie as the one before.
    const std::string& textOf(const Placements& placements) {
        if (!hasText_ || placements != lastPlacements_) {
            lastPlacements_ = placements;
            lastText_ = toString(placements);
            hasText_ = true;
        }
        return lastText_;
    }

    /// Placements of what leaves a layer, as it was made.
    void nameOutputs(const Plan& plan) {
        std::vector<const Placed*> made(plan.graph->values.size(), nullptr);
        for (const Placed& placed : plan.values) {
            const bool isMade = placed.producer.isNone() || !plan.at(placed.producer).node.isNone();
            if (isMade && made[placed.value.value] == nullptr) {
                made[placed.value.value] = &placed;
            }
        }
        for (const auto& [key, value] : studied_.lowered.values) {
            LayerPreview* of = layer(key.first);
            if (of == nullptr || value.value >= made.size() || made[value.value] == nullptr) {
                continue;
            }
            const auto port = std::ranges::find(of->outputs, key.second, &PortPreview::port);
            port->placement = textOf(made[value.value]->placements);
            of->devices.clear();
            for (const DeviceId device : plan.at(made[value.value]->mesh).devices) {
                of->devices.push_back(studied_.devices[device.value]);
            }
        }
    }

    void addLegal() {
        for (auto& [origin, words] : studied_.legal) {
            LayerPreview* of = layer(origin);
            if (of == nullptr) {
                continue;
            }
            of->legal.reserve(words.size());
            for (LegalWord& word : words) {
                of->legal.push_back({word.word, std::move(word.reason)});
            }
        }
    }

    /// Per device the layer that makes most of its memory.
    void nameLargest() {
        for (DevicePreview& device : preview_.devices) {
            Bytes most;
            for (const LayerPreview& of : preview_.layers) {
                const Bytes bytes = of.parameterBytes + of.activationBytes;
                if (bytes > most &&
                    std::ranges::find(of.devices, device.name) != of.devices.end()) {
                    most = bytes;
                    device.largestLayer = of.name;
                }
            }
        }
    }

    Study& studied_;
    std::vector<DeviceSheet> sheets_; ///< by DeviceId
    const PreviewRequest& request_;
    const Design& design_;
    Preview preview_;
    std::unordered_map<std::uint64_t, std::size_t> byOrigin_;
    std::optional<Origin> lastOf_;
    LayerPreview* last_ = nullptr;
    std::vector<Held> held_;                 ///< by PlacedId
    std::vector<const WireTraffic*> byNode_; ///< by PlanNodeId
    Placements lastPlacements_;
    std::string lastText_;
    bool hasText_ = false;
    NodeKinds kinds_;
    std::vector<Flops> flops_; ///< by kind
    Signature signature_;
    std::vector<Nanoseconds> busy_;
    Nanoseconds communication_;
};

} // namespace

Preview foldPreview(Study& studied, const Design& design, const PreviewRequest& request) {
    return Fold(studied, design, request).run();
}

} // namespace weft
