// SPDX-License-Identifier: Apache-2.0
#include "front/fold_preview.h"

#include "front/price_ops.h"
#include "place/place_tables.h"
#include "run/device_sheets.h"
#include "schedule/price.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

namespace weft {

namespace {

void add(Price& sum, const Price& price) {
    sum.time += price.time;
    sum.band.low += price.band.low;
    sum.band.high += price.band.high;
}

/// To the longer of two that run beside each other.
void widen(TimeBand& band, const TimeBand& other) {
    band.low = std::max(band.low, other.low);
    band.high = std::max(band.high, other.high);
}

class PreviewFold {
public:
    PreviewFold(const Study& studied, const Design& design, const PreviewRequest& request,
                FoldMemory& memory)
        : studied_(studied), request_(request), design_(design), memory_(memory) {}

    Preview run() {
        remember();
        preview_.problems = studied_.problems;
        std::ranges::move(checkShares(shares_, coresOf(request_.machine.devices)),
                          std::back_inserter(preview_.problems));
        addLayers();
        addDevices();
        if (studied_.plan) {
            placeAll(*studied_.plan);
            nameLargest();
            preview_.isComplete = !hasErrors(studied_.problems);
            addTogether();
        }
        preview_.layers.shared.reserve(rows_.size());
        for (LayerPreview& row : rows_) {
            preview_.layers.shared.push_back(std::make_shared<const LayerPreview>(std::move(row)));
        }
        return std::move(preview_);
    }

private:
    /// Prices hold as long as the numbers of the ops and the sheets do.
    void remember() {
        shares_ = sharesFor(design_, {studied_.devices, request_.ranks, request_.hosts},
                            request_.machine);
        std::vector<DeviceSheet> sheets =
            sheetsFor(design_, studied_.devices, request_.machine, shares_);
        if (memory_.tables != studied_.tables || memory_.sheets != sheets) {
            memory_.prices.clear();
            memory_.sent.clear();
            memory_.held.clear();
            memory_.tables = studied_.tables;
            memory_.sheets = std::move(sheets);
        }
    }

    void addLayers() {
        const auto& expanded = studied_.expanded.layers;
        rows_.reserve(expanded.size());
        for (const ExpandedLayer& layer : expanded) {
            byOrigin_[layer.origin] = rows_.size();
            rows_.push_back({.origin = layer.origin, .name = layer.name});
        }
        const Graph& graph = *studied_.graph;
        for (const LayerOutputs& layer : studied_.outputs) {
            for (const auto& [port, id] : layer.ports) {
                const Value& value = graph.at(id);
                rowOf(layer.origin)->outputs.push_back({port, value.dtype, value.shape, {}});
            }
        }
        for (const Slot& slot : graph.slots) {
            LayerPreview* of = slot.kind == SlotKind::parameter ? rowOf(slot.origin) : nullptr;
            if (of != nullptr) {
                of->parameters.push_back({slot.name, slot.shape, {}});
            }
        }
    }

    void addDevices() {
        for (const DeviceSheet& sheet : memory_.sheets) {
            preview_.devices.push_back(
                {.name = sheet.name, .available = sheet.memory, .isPresent = sheet.isPresent});
        }
    }

    /// None: it is of no layer.
    LayerPreview* rowOf(Origin origin) {
        const auto found = byOrigin_.find(origin);
        return found == byOrigin_.end() ? nullptr : &rows_[found->second];
    }

    void placeAll(const Plan& plan) {
        busy_.assign(preview_.devices.size(), Price{});
        byNode_.assign(plan.nodes.size(), nullptr);
        for (const WireTraffic& traffic : plan.traffic) {
            byNode_[traffic.node.value] = &traffic;
        }
        for (const PlanNode& node : plan.nodes) {
            if (node.node.isNone()) {
                addCollective(plan, node);
            } else {
                addCompute(plan, node);
            }
        }
        for (const SlotHome& home : plan.slots) {
            addSlot(plan, home);
        }
        for (std::size_t d = 0; d < busy_.size(); ++d) {
            preview_.devices[d].busy = busy_[d].time;
            Price step = busy_[d];
            add(step, communication_);
            preview_.step = std::max(preview_.step, step.time);
            widen(preview_.stepBand, step.band);
        }
        placeOutputs(plan);
        for (const auto& [origin, words] : studied_.legal) {
            if (LayerPreview* of = rowOf(origin)) {
                of->legal = *words;
            }
        }
    }

    /// Placements of what leaves a layer, as it was made and not as it was brought elsewhere.
    void placeOutputs(const Plan& plan) {
        std::vector<const Placed*> made(plan.graph->values.size(), nullptr);
        for (const Placed& placed : plan.values) {
            const bool isMade = placed.producer.isNone() || !plan.at(placed.producer).node.isNone();
            const Placed*& first = made[placed.value.value];
            first = isMade && first == nullptr ? &placed : first;
        }
        for (const LayerOutputs& layer : studied_.outputs) {
            LayerPreview& of = *rowOf(layer.origin);
            const Mesh* mesh = nullptr;
            for (std::size_t k = 0; k < layer.ports.size(); ++k) {
                if (const Placed* placed = made[layer.ports[k].second.value]) {
                    of.outputs[k].placement = toString(placed->placements);
                    mesh = &plan.at(placed->mesh);
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

    const OpPrice& priceFor(const Plan& plan, const PlanNode& planned) {
        if (planned.alike == std::numeric_limits<std::uint32_t>::max()) {
            scratch_ = priceOf(plan, planned, memory_.sheets);
            return scratch_;
        }
        if (planned.alike >= memory_.prices.size()) {
            memory_.prices.resize(studied_.tables->alikes.size());
        }
        OpPrice& known = memory_.prices[planned.alike];
        if (known.members.empty()) {
            known = priceOf(plan, planned, memory_.sheets);
        }
        return known;
    }

    void addCompute(const Plan& plan, const PlanNode& planned) {
        const Node& node = plan.graph->at(planned.node);
        const OpPrice& price = priceFor(plan, planned);
        const bool isForward = node.pass == Pass::forward;
        const Mesh& mesh = plan.at(planned.mesh);
        Price longest;
        for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
            DevicePreview& device = preview_.devices[mesh.devices[member].value];
            const OpPrice::Member& of = price.members[member];
            add(busy_[mesh.devices[member].value], of.price);
            device.activations += isForward ? of.made : Bytes{};
            longest.time = std::max(longest.time, of.price.time);
            widen(longest.band, of.price.band);
        }
        if (LayerPreview* of = rowOf(node.origin)) {
            (isForward ? of->forward : of->backward) += price.flops;
            of->activationBytes += isForward ? price.members.front().made : Bytes{};
            of->compute += longest.time;
            of->computeBand.low += longest.band.low;
            of->computeBand.high += longest.band.high;
        }
    }

    void addCollective(const Plan& plan, const PlanNode& node) {
        if (isLocal(node.collective)) {
            return;
        }
        CollectivePreview& made = preview_.collectives.emplace_back();
        const WireTraffic* traffic = byNode_[static_cast<std::size_t>(&node - plan.nodes.data())];
        made.name = node.name;
        made.kind = nameOf(node.collective);
        made.from = traffic == nullptr ? node.origin : traffic->from;
        made.to = traffic == nullptr ? node.origin : traffic->to;
        made.wire = traffic == nullptr ? "" : traffic->wire;
        made.isBackward = traffic != nullptr && traffic->isBackward;
        const auto size =
            static_cast<std::int64_t>(byteSize(plan.valueOf(node.inputs.front()).dtype));
        sent_.assign(plan.devices.size(), 0);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            std::ranges::transform(sent_, sentFor(plan, node, k), sent_.begin(), std::plus{});
        }
        for (std::size_t d = 0; d < sent_.size(); ++d) {
            const Bytes bytes{sent_[d] * size};
            preview_.devices[d].sent += bytes;
            preview_.sent += bytes;
            made.sentPerDevice = std::max(made.sentPerDevice, bytes);
        }
        const int rounds = node.collective == CollectiveKind::allReduce ? 2 : 1;
        const Price price =
            communicationPrice(request_.machine.withinProcess, made.sentPerDevice, rounds);
        made.predicted = price.time;
        made.band = price.band;
        add(communication_, price);
        if (LayerPreview* of = rowOf(node.origin)) {
            of->communicate += made.predicted;
        }
    }

    const std::vector<std::int64_t>& sentFor(const Plan& plan, const PlanNode& node,
                                             std::size_t k) {
        const Placed& source = plan.at(node.inputs[k]);
        std::vector<std::int64_t>& known = memory_.sent[{source.type.value, source.spread.value,
                                                         plan.at(node.outputs[k]).spread.value}];
        if (known.empty()) {
            known = elementsSent(plan, node, k);
        }
        return known;
    }

    void addSlot(const Plan& plan, const SlotHome& home) {
        const Slot& slot = studied_.graph->at(home.slot);
        const Placed& placed = plan.at(home.home);
        const Mesh& mesh = plan.at(placed.mesh);
        LayerPreview* of = rowOf(slot.origin);
        std::vector<Bytes>& held = memory_.held[{placed.type.value, placed.spread.value}];
        for (std::size_t member = held.size(); member < mesh.devices.size(); ++member) {
            held.push_back(bytesHeld(plan, home.home, member));
        }
        for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
            const Bytes bytes = held[member];
            preview_.devices[mesh.devices[member].value].parameters += bytes;
            if (of != nullptr && member == 0) {
                of->parameterBytes += bytes;
            }
        }
        if (of != nullptr && slot.kind == SlotKind::parameter) {
            std::ranges::find(of->parameters, slot.name, &ParameterPreview::name)->placement =
                toString(placed.placements);
        }
    }

    /// Per device the layer that makes most of its memory.
    void nameLargest() {
        for (DevicePreview& device : preview_.devices) {
            Bytes most;
            for (const LayerPreview& of : rows_) {
                const Bytes bytes = of.parameterBytes + of.activationBytes;
                if (bytes > most &&
                    std::ranges::find(of.devices, device.name) != of.devices.end()) {
                    most = bytes;
                    device.largestLayer = of.name;
                }
            }
        }
    }

    /// What the devices of one host hold is summed: they share its memory.
    void addTogether() {
        std::map<int, Bytes> byHost;
        for (std::size_t d = 0; d < shares_.size(); ++d) {
            const DevicePreview& device = preview_.devices[d];
            byHost[shares_[d].host] += device.parameters + device.activations;
        }
        for (std::size_t d = 0; d < shares_.size(); ++d) {
            DevicePreview& device = preview_.devices[d];
            device.together = shares_[d].host == noHost ? device.parameters + device.activations
                                                        : byHost[shares_[d].host];
        }
    }

    const Study& studied_;
    const PreviewRequest& request_;
    const Design& design_;
    FoldMemory& memory_;
    Preview preview_;
    std::vector<LayerPreview> rows_;
    std::unordered_map<Origin, std::size_t> byOrigin_;
    std::vector<HostShare> shares_;          ///< by DeviceId
    std::vector<const WireTraffic*> byNode_; ///< by PlanNodeId
    OpPrice scratch_;
    std::vector<std::int64_t> sent_; ///< of one collective, per device
    std::vector<Price> busy_;        ///< by DeviceId
    Price communication_;
};

} // namespace

Preview foldPreview(const Study& studied, const Design& design, const PreviewRequest& request,
                    FoldMemory& memory) {
    return PreviewFold(studied, design, request, memory).run();
}

} // namespace weft
