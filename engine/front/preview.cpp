// SPDX-License-Identifier: Apache-2.0
// The preview folds one plan: shapes and placements per layer, collectives by wire, bytes and time
// per device. A second look at a design that computes the same (a node was moved) is answered from
// the cache.
#include "front/study.h"
#include "schedule/price.h"
#include <weft/design_file.h>
#include <weft/preview.h>

#include <algorithm>

namespace weft {

struct PreviewCache::State {
    std::unique_ptr<const Registry> registry = makeRegistry();
    std::uint64_t fingerprint = 0;
    PreviewRequest request;
    bool isFilled = false;
    Preview last;
};

PreviewCache::PreviewCache() : state_(std::make_unique<State>()) {}
PreviewCache::~PreviewCache() = default;
PreviewCache::PreviewCache(PreviewCache&&) noexcept = default;
PreviewCache& PreviewCache::operator=(PreviewCache&&) noexcept = default;

namespace {

class Fold {
public:
    Fold(const Study& studied, const PreviewRequest& request)
        : studied_(studied), request_(request) {}

    Preview run() {
        preview_.problems = studied_.problems;
        for (const ExpandedLayer& layer : studied_.expanded.layers) {
            addLayer(layer);
        }
        for (const std::string& name : studied_.devices) {
            DevicePreview device{.name = name};
            const auto sheet =
                std::ranges::find(request_.machine.devices, name, &DeviceSheet::name);
            if (sheet != request_.machine.devices.end()) {
                device.available = sheet->memory;
                device.isPresent = sheet->isPresent;
            }
            preview_.devices.push_back(std::move(device));
        }
        if (studied_.plan) {
            placeAll(*studied_.plan);
            preview_.isComplete = !hasErrors(studied_.problems);
        }
        return std::move(preview_);
    }

private:
    void addLayer(const ExpandedLayer& layer) {
        LayerPreview made{.origin = layer.origin, .name = layer.name};
        for (const auto& [key, value] : studied_.lowered.values) {
            if (key.first == layer.origin) {
                const Value& described = studied_.lowered.graph.at(value);
                made.outputs.push_back({key.second, described.dtype, described.shape, {}});
            }
        }
        for (const Slot& slot : studied_.lowered.graph.slots) {
            if (slot.origin == layer.origin && slot.kind == SlotKind::parameter) {
                made.parameters.push_back({slot.name, slot.shape, {}});
            }
        }
        byOrigin_[layer.origin] = preview_.layers.size();
        preview_.layers.push_back(std::move(made));
    }

    LayerPreview* layer(Origin origin) {
        const auto found = byOrigin_.find(origin);
        return found == byOrigin_.end() ? nullptr : &preview_.layers[found->second];
    }

    void placeAll(const Plan& plan) {
        busy_.assign(studied_.devices.size(), Nanoseconds{});
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
    }

    void addCompute(const Plan& plan, const PlanNode& planned) {
        const Graph& graph = *plan.graph;
        const Node& node = graph.at(planned.node);
        Signature signature{.attributes = node.attributes, .inputs = {}, .outputs = {}};
        for (const ValueId id : node.inputs) {
            signature.inputs.push_back({graph.at(id).dtype, graph.at(id).shape});
        }
        for (const ValueId id : node.outputs) {
            signature.outputs.push_back({graph.at(id).dtype, graph.at(id).shape});
        }
        const Flops flops = node.op->cost ? node.op->cost(signature) : Flops{};
        LayerPreview* of = layer(node.origin);
        if (of != nullptr) {
            (node.pass == Pass::forward ? of->forward : of->backward) += flops;
        }
        const Mesh& mesh = plan.at(planned.mesh);
        Nanoseconds longest;
        for (const DeviceId device : mesh.devices) {
            const Nanoseconds time = timeOn(plan, planned, device, flops);
            busy_[device.value] += time;
            longest = std::max(longest, time);
            if (node.pass == Pass::forward) {
                for (const PlacedId output : planned.outputs) {
                    const Bytes bytes{
                        plan.boxOf(output, device).elements() *
                        static_cast<std::int64_t>(byteSize(plan.valueOf(output).dtype))};
                    preview_.devices[device.value].activations += bytes;
                    if (of != nullptr && device == mesh.devices.front()) {
                        of->activationBytes += bytes;
                    }
                }
            }
        }
        if (of != nullptr) {
            of->compute += longest;
        }
    }

    Nanoseconds timeOn(const Plan& plan, const PlanNode& planned, DeviceId device,
                       Flops flops) const {
        double share = 1;
        Bytes traffic;
        for (const auto* list : {&planned.inputs, &planned.outputs}) {
            for (const PlacedId id : *list) {
                const auto whole = static_cast<double>(
                    std::max<std::int64_t>(1, elementsOf(plan.valueOf(id).shape)));
                const std::int64_t held = plan.boxOf(id, device).elements();
                share = std::min(share, static_cast<double>(held) / whole);
                traffic +=
                    Bytes{held * static_cast<std::int64_t>(byteSize(plan.valueOf(id).dtype))};
            }
        }
        const std::string& name = studied_.devices[device.value];
        const auto sheet = std::ranges::find(request_.machine.devices, name, &DeviceSheet::name);
        const std::string& op = plan.graph->at(planned.node).op->name;
        return computeTime(sheet == request_.machine.devices.end() ? DeviceSheet{} : *sheet, op,
                           {static_cast<std::int64_t>(static_cast<double>(flops.count) * share)},
                           traffic);
    }

    void addCollective(const Plan& plan, const PlanNode& node) {
        if (isLocal(node.collective)) {
            return;
        }
        CollectivePreview made{.name = node.name,
                               .kind = std::string(nameOf(node.collective)),
                               .from = node.origin,
                               .to = node.origin};
        const auto id = PlanNodeId{static_cast<std::uint32_t>(&node - plan.nodes.data())};
        const auto traffic = std::ranges::find(plan.traffic, id, &WireTraffic::node);
        if (traffic != plan.traffic.end()) {
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
        LayerPreview* of = layer(slot.origin);
        for (const DeviceId device : plan.at(placed.mesh).devices) {
            const Bytes bytes{plan.boxOf(home.home, device).elements() *
                              static_cast<std::int64_t>(byteSize(slot.dtype))};
            preview_.devices[device.value].parameters += bytes;
            if (of != nullptr && device == plan.at(placed.mesh).devices.front()) {
                of->parameterBytes += bytes;
            }
        }
        if (of != nullptr) {
            const auto parameter =
                std::ranges::find(of->parameters, slot.name, &ParameterPreview::name);
            if (parameter != of->parameters.end()) {
                parameter->placement = toString(placed.placements);
            }
        }
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
            port->placement = toString(made[value.value]->placements);
            of->devices.clear();
            for (const DeviceId device : plan.at(made[value.value]->mesh).devices) {
                of->devices.push_back(studied_.devices[device.value]);
            }
        }
    }

    void addLegal() {
        for (LayerPreview& of : preview_.layers) {
            const auto found = studied_.legal.find(of.origin);
            if (found != studied_.legal.end()) {
                for (const LegalWord& word : found->second) {
                    of.legal.push_back({word.word, word.reason});
                }
            }
        }
    }

    const Study& studied_;
    const PreviewRequest& request_;
    Preview preview_;
    std::map<Origin, std::size_t> byOrigin_;
    std::vector<Nanoseconds> busy_;
    Nanoseconds communication_;
};

bool isSame(const PreviewRequest& a, const PreviewRequest& b) {
    return a.devices == b.devices && a.machine == b.machine && a.wantsLegal == b.wantsLegal &&
           a.wantsPlan == b.wantsPlan;
}

} // namespace

Preview preview(const Design& design, PreviewCache& cache, const PreviewRequest& request) {
    PreviewCache::State& state = cache.state();
    const std::uint64_t now = fingerprint(design);
    if (state.isFilled && state.fingerprint == now && isSame(state.request, request)) {
        return state.last;
    }
    const Study studied = study({.design = &design,
                                 .registry = state.registry.get(),
                                 .devices = request.devices,
                                 .machine = request.machine,
                                 .wantsPlan = request.wantsPlan,
                                 .wantsLegal = request.wantsLegal});
    state.last = Fold(studied, request).run();
    state.fingerprint = now;
    state.request = request;
    state.isFilled = true;
    return state.last;
}

} // namespace weft
