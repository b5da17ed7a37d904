// SPDX-License-Identifier: Apache-2.0
#include "front/fold_preview.h"

#include "front/device_sheets.h"
#include "front/layer_draft.h"
#include "front/price_ops.h"
#include "place/place_tables.h"
#include "schedule/price.h"

#include <algorithm>
#include <iterator>
#include <map>

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
                FoldMemory& memory, Preview& preview)
        : studied_(studied),
          request_(request),
          design_(design),
          memory_(memory),
          preview_(preview),
          drafts_(studied) {}

    void run() {
        remember();
        preview_.problems = studied_.problems;
        std::ranges::move(checkShares(shares_, coresOf(request_.machine.devices)),
                          std::back_inserter(preview_.problems));
        preview_.step = {};
        preview_.stepBand = {};
        preview_.sent = {};
        preview_.isComplete = false;
        findLayers();
        addDevices();
        if (studied_.plan) {
            placeAll(*studied_.plan);
        }
        preview_.collectives.resize(collectives_);
        drafts_.write(preview_.layers);
        if (studied_.plan) {
            nameLargest();
            preview_.isComplete = !hasErrors(studied_.problems);
            addTogether();
        }
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

    void findLayers() {
        const auto& expanded = studied_.expanded.layers;
        if (!std::ranges::equal(expanded, memory_.origins, {}, &ExpandedLayer::origin)) {
            memory_.origins.clear();
            memory_.byOrigin.clear();
            for (const ExpandedLayer& layer : expanded) {
                memory_.byOrigin[layer.origin] = memory_.origins.size();
                memory_.origins.push_back(layer.origin);
            }
        }
        const LayerParts& parts = studied_.lowered.parts.layers;
        for (std::size_t k = 0; k + 1 < parts.layers.size(); ++k) {
            for (std::size_t o = parts.layers[k].outputs; o < parts.layers[k + 1].outputs; ++o) {
                drafts_.addOutput(drafts_.at(k), parts.outputs[o].first, parts.outputs[o].second);
            }
        }
        for (std::uint32_t k = 0; k < studied_.graph().slots.size(); ++k) {
            const Slot& slot = studied_.graph().slots[k];
            LayerDraft* of = slot.kind == SlotKind::parameter ? draft(slot.origin) : nullptr;
            if (of != nullptr) {
                drafts_.addParameter(*of, {k});
            }
        }
    }

    void addDevices() {
        preview_.devices.clear();
        for (const DeviceSheet& sheet : memory_.sheets) {
            preview_.devices.push_back(
                {.name = sheet.name, .available = sheet.memory, .isPresent = sheet.isPresent});
        }
    }

    LayerDraft* draft(Origin origin) {
        if (!lastOf_ || *lastOf_ != origin) { // nodes of a layer stand together
            const auto found = memory_.byOrigin.find(origin);
            last_ = found == memory_.byOrigin.end() ? ExpandedDesign::nowhere : found->second;
            lastOf_ = origin;
        }
        return last_ == ExpandedDesign::nowhere ? nullptr : &drafts_.at(last_);
    }

    void placeAll(const Plan& plan) {
        busy_.assign(preview_.devices.size(), Price{});
        byNode_.assign(plan.nodes.size(), nullptr);
        for (const WireTraffic& traffic : plan.traffic) {
            byNode_[traffic.node.value] = &traffic;
        }
        for (const PlanNodeId id : studied_.order) {
            const PlanNode& node = plan.at(id);
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
        drafts_.placeOutputs(plan);
        for (const auto& [origin, words] : studied_.legal) {
            if (LayerDraft* of = draft(origin)) {
                of->legal = words.get();
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
        if (LayerDraft* of = draft(node.origin)) {
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
        if (collectives_ == preview_.collectives.size()) {
            preview_.collectives.emplace_back();
        }
        CollectivePreview& made = preview_.collectives[collectives_++];
        const WireTraffic* traffic = byNode_[static_cast<std::size_t>(&node - plan.nodes.data())];
        made.name = node.name;
        made.kind = nameOf(node.collective);
        made.from = traffic == nullptr ? node.origin : traffic->from;
        made.to = traffic == nullptr ? node.origin : traffic->to;
        made.wire = traffic == nullptr ? "" : traffic->wire;
        made.isBackward = traffic != nullptr && traffic->isBackward;
        made.sentPerDevice = {};
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
        if (LayerDraft* of = draft(node.origin)) {
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
        const Slot& slot = studied_.graph().at(home.slot);
        const Placed& placed = plan.at(home.home);
        const Mesh& mesh = plan.at(placed.mesh);
        LayerDraft* of = draft(slot.origin);
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
            drafts_.placeParameter(*of, home.slot, placed.placements);
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
    Preview& preview_;
    LayerDrafts drafts_;
    std::vector<HostShare> shares_; ///< by DeviceId
    std::optional<Origin> lastOf_;
    std::size_t last_ = ExpandedDesign::nowhere;
    std::vector<const WireTraffic*> byNode_; ///< by PlanNodeId
    OpPrice scratch_;
    std::vector<std::int64_t> sent_; ///< of one collective, per device
    std::size_t collectives_ = 0;
    std::vector<Price> busy_; ///< by DeviceId
    Price communication_;
};

} // namespace

void foldPreview(const Study& studied, const Design& design, const PreviewRequest& request,
                 FoldMemory& memory, Preview& preview) {
    PreviewFold(studied, design, request, memory, preview).run();
}

} // namespace weft
