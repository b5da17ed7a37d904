// SPDX-License-Identifier: Apache-2.0
// Handles values without a placement, gradients that are changed to the placement of their
// parameters, and the end of a step.
#include "place/placer.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

void splitExamples(Placements& placements, std::size_t axis, const Shape& shape, const Mesh& mesh) {
    std::vector<std::int64_t> outer{0, shape[0]};
    if (axis > 0 && placements[0].isSplit()) {
        outer = placements[0].cuts;
    }
    Placement& placement = placements[axis];
    placement = {Placement::Kind::split, 0, 1, {}};
    for (std::size_t part = 0; part + 1 < outer.size(); ++part) {
        const auto row = balancedCuts(outer[part], outer[part + 1], mesh.shape[axis]);
        placement.cuts.insert(placement.cuts.end(), row.begin(), row.end());
    }
}

} // namespace

PlacedId Placer::setHome(SlotId slot, ShardingId sharding) {
    homes_[slot.value] = writer_.addPlaced(given_->at(slot).value, sharding, {});
    return homes_[slot.value];
}

void Placer::findOperandState(ValueId value, OperandState& state) {
    state.type = writer_.typeOf(value);
    state.freedom = OperandState::Freedom::placed;
    state.held.clear();
    if (writer_.placementsOf(value).empty()) {
        placeSlotOrFeed(value);
    }
    for (const PlanWriter::ExistingPlacement& held : writer_.placementsOf(value)) {
        state.held.push_back(held.sharding);
    }
    if (const auto open = free_.find(value); state.held.empty() && open != free_.end()) {
        state.freedom = open->second;
    } else if (state.held.empty()) {
        ensure(!slotOf(value).isNone() || feedOf(value),
               "an operand is computed before an op uses it");
        state.freedom =
            slotOf(value).isNone() ? OperandState::Freedom::data : OperandState::Freedom::slot;
    }
}

Placements Placer::placementsBeside(SlotId parameter, const Shape& shape) const {
    const Shape& whole = given_->at(parameter).shape;
    Placements placements = shardings_.at(writer_.shardingOf(homes_[parameter.value])).placements;
    for (Placement& placement : placements) {
        const auto dim = static_cast<std::size_t>(std::max(0, placement.dim));
        if (placement.isSplit() && (dim >= shape.size() || shape[dim] != whole[dim])) {
            placement = {};
        }
    }
    return placements;
}

/// Optimizer state is placed like its parameter. So are accumulators, except that they stay Partial
/// along axes assigned to `batch`.
ShardingId Placer::homeBeside(SlotId slot) {
    const Slot& own = given_->at(slot);
    const MeshId at = shardings_.at(writer_.shardingOf(homes_[own.of.value])).mesh;
    const Mesh mesh = shardings_.at(at);
    Placements placements = placementsBeside(own.of, own.shape);
    for (std::size_t axis = 0; axis < placements.size(); ++axis) {
        if (own.kind == SlotKind::accumulator && placements[axis].isReplicated() &&
            mesh.shape[axis] > 1 && batch_.keepsSumsApart(own.origin, at, axis)) {
            placements[axis] = {.kind = Placement::Kind::partialSum};
        }
    }
    return shardings_.sharding(at, placements);
}

/// Places optimizer state beside its parameter, and inputs as their layer's assignment says.
void Placer::placeSlotOrFeed(ValueId value) {
    if (const SlotId slot = slotOf(value); !slot.isNone()) {
        const SlotId of = given_->at(slot).of;
        if (!of.isNone() && !homes_[of.value].isNone()) {
            setHome(slot, homeBeside(slot));
        }
    } else if (const auto feed = feedOf(value)) {
        const auto assigned = request_.layers.find(given_->feeds[*feed].origin);
        if (assigned != request_.layers.end()) {
            placeFeed(*feed, assigned->second);
        }
    }
}

void Placer::placeFeed(std::uint32_t feed, const Assignment& assignment) {
    const auto saysSomething = [](AxisWord word) { return word != AxisWord::follow; };
    if (std::ranges::none_of(assignment.words, saysSomething)) {
        return;
    }
    const Origin origin = given_->feeds[feed].origin;
    const MeshId mesh = layers_.meshOf(origin);
    const Shape& shape = given_->at(given_->feeds[feed].value).shape;
    Placements placements(shardings_.at(mesh).axes());
    for (std::size_t axis = 0; axis < std::min(placements.size(), assignment.words.size());
         ++axis) {
        const AxisWord word = assignment.words[axis];
        if ((word == AxisWord::data || word == AxisWord::batch) && !shape.empty()) {
            splitExamples(placements, axis, shape, shardings_.at(mesh));
        } else if (saysSomething(word) && word != AxisWord::replicate) {
            layers_.refuseInput(origin, word);
        }
    }
    batch_.addFeed(given_->feeds[feed].value, mesh, assignment.words);
    feeds_[feed] =
        writer_.addPlaced(given_->feeds[feed].value, shardings_.sharding(mesh, placements), {});
}

/// Returns the home of a slot or feed: what the first use wants, without Partial. Examples are
/// split along the batch or not at all.
ShardingId Placer::placeForFirstUse(ValueId value, ShardingId wanted) {
    if (const SlotId slot = slotOf(value); !slot.isNone()) {
        const ShardingId home = shardings_.withoutPartial(wanted);
        setHome(slot, home);
        return home;
    }
    if (const auto open = free_.find(value);
        open != free_.end() && open->second == OperandState::Freedom::slot) {
        const ShardingId rest = shardings_.withoutPartial(wanted);
        writer_.addPlaced(value, rest, {});
        return rest;
    }
    Placements placements = shardings_.at(wanted).placements;
    for (Placement& placement : placements) {
        if (!placement.isSplit() || placement.dim != 0) {
            placement = {};
        }
    }
    const ShardingId sharding = shardings_.sharding(shardings_.at(wanted).mesh, placements);
    const PlacedId placed = writer_.addPlaced(value, sharding, {});
    if (const auto feed = feedOf(value)) {
        feeds_[*feed] = placed;
    }
    return sharding;
}

bool Placer::isSentWhole(const ChangeReason& reason) const {
    const std::string& name = graph_.get().at(reason.value).name;
    return std::ranges::any_of(request_.schemes, [&](const WireScheme& scheme) {
        return scheme.scheme == "whole" && scheme.from == reason.from && scheme.to == reason.to &&
               (scheme.wire.empty() || name.empty() || scheme.wire.starts_with(name + " "));
    });
}

/// Changes a total gradient to the dual of its value's placement: Partial and Replicated are duals
/// of each other, but a Replicated gradient stays Replicated.
void Placer::bringGradientsHome(ValueId gradient) {
    for (const ValueId value : roles_.forwardOf(gradient)) {
        if (!slotOf(value).isNone()) {
            bringSlotGradient(gradient, slotOf(value));
        } else if (!roles_.of(value).consumer.isNone() && !writer_.placementsOf(value).empty()) {
            bringWireGradient(gradient, value);
        }
    }
    bringCountHome(gradient);
}

PlacementQuestion::WantedPlacement Placer::wantedFor(ValueId value) {
    const SlotId kept = roles_.of(value).becomes;
    if (!kept.isNone() && !homes_[kept.value].isNone()) {
        return {writer_.shardingOf(homes_[kept.value]), false};
    }
    for (const ValueId of : roles_.forwardOf(value)) {
        const SlotId slot = slotOf(of);
        if (!slot.isNone() && !homes_[slot.value].isNone()) {
            return {writer_.shardingOf(homes_[slot.value]), true};
        }
        if (slot.isNone() && !roles_.of(of).consumer.isNone() &&
            !writer_.placementsOf(of).empty()) {
            return {shardings_.withoutPartial(writer_.placementsOf(of).front().sharding), true};
        }
    }
    return {};
}

ChangeReason Placer::homeChangeReason(ValueId value, SlotId parameter, bool isPeriods) const {
    const Slot& slot = given_->at(parameter);
    const bool isSync = isPeriods || isCounted_[parameter.value];
    return {.from = slot.origin,
            .to = slot.origin,
            .isBackward = true,
            .value = value,
            .name = slot.name + (isSync ? " sync" : " gradient"),
            .isSync = isPeriods};
}

/// Changes a count to the placement of its parameter's sum. The cheapest placement of the count
/// alone could force the op that reads both to split, and its result to be gathered.
void Placer::bringCountHome(ValueId count) {
    for (const auto& [slot, value] : given_->counts) {
        if (value == count && !homes_[slot.value].isNone()) {
            const MeshId mesh = shardings_.at(writer_.shardingOf(homes_[slot.value])).mesh;
            const Placements beside = placementsBeside(slot, given_->at(count).shape);
            writer_.bringGradient(graph_.get(), count, shardings_.sharding(mesh, beside),
                                  homeChangeReason(count, slot, isAccumulated_[slot.value]));
        }
    }
}

/// Places a gradient at its slot's home. For an accumulator that is what this step adds; for its
/// parameter it is the complete sum.
void Placer::bringSlotGradient(ValueId gradient, SlotId slot) {
    const Slot& of = given_->at(slot);
    if (homes_[slot.value].isNone() && !of.of.isNone() && !homes_[of.of.value].isNone()) {
        setHome(slot, homeBeside(slot));
    }
    if (homes_[slot.value].isNone()) {
        return;
    }
    const SlotId parameter = of.of.isNone() ? slot : of.of;
    const bool isPeriods = of.kind != SlotKind::accumulator && isAccumulated_[parameter.value];
    writer_.bringGradient(graph_.get(), gradient, writer_.shardingOf(homes_[slot.value]),
                          homeChangeReason(gradient, parameter, isPeriods));
}

void Placer::reduceAccumulators(const Node& reader) {
    const auto isCount = [&](ValueId value) {
        return std::ranges::find(given_->counts, value, &SumCount::count) != given_->counts.end();
    };
    const bool readsOne = std::ranges::any_of(reader.inputs, [&](ValueId input) {
        return !slotOf(input).isNone() && (!roles_.forwardOf(input).empty() || isCount(input));
    });
    if (!readsOne) {
        return;
    }
    areAccumulatorsReduced_ = true;
    for (std::uint32_t k = 0; k < given_->slots.size(); ++k) {
        const Slot& slot = given_->slots[k];
        const auto homes = roles_.forwardOf(slot.value);
        const bool isSum =
            slot.kind == SlotKind::accumulator && (!homes.empty() || isCount(slot.value));
        if (!isSum || homes_[slot.of.value].isNone()) {
            continue; // nothing has read the parameter: any placement will do
        }
        if (homes_[k].isNone()) {
            setHome({k}, homeBeside({k}));
        }
        for (const ValueId home : homes) {
            bringSlotGradient(slot.value, slotOf(home));
        }
        bringCountHome(slot.value);
    }
}

void Placer::bringWireGradient(ValueId gradient, ValueId value) {
    const Node& consumer = given_->at(roles_.of(value).consumer);
    const ShardingId target =
        shardings_.withoutPartial(writer_.placementsOf(value).front().sharding);
    const ChangeReason reason{.from = originOf(value),
                              .to = consumer.origin,
                              .isBackward = true,
                              .value = value,
                              .consumer = &consumer,
                              .operand = roles_.of(value).operand};
    const ShardingId source = writer_.placementsOf(gradient).back().sharding;
    const Mesh& mesh = shardings_.at(shardings_.at(source).mesh);
    const bool hasSplit = std::ranges::any_of(shardings_.at(source).placements,
                                              [](const Placement& p) { return p.isSplit(); });
    if (isSentWhole(reason) && hasSplit && source != target) {
        Placements partial(mesh.axes());
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            partial[axis] = shardings_.at(source).placements[axis];
            if (partial[axis].isSplit()) {
                partial[axis] = {.kind = Placement::Kind::partialSum};
            }
        }
        const ShardingId through = shardings_.sharding(shardings_.at(source).mesh, partial);
        writer_.bring(graph_.get(), gradient, source, through, reason);
        writer_.bring(graph_.get(), gradient, through, target, reason);
        return;
    }
    writer_.bring(graph_.get(), gradient, target, reason);
}

void Placer::finishSlots() {
    Plan& plan = writer_.plan();
    for (std::uint32_t k = 0; k < given_->slots.size(); ++k) {
        const Slot& slot = given_->slots[k];
        if (homes_[k].isNone()) {
            const bool follows = !slot.of.isNone() && !homes_[slot.of.value].isNone();
            setHome({k}, follows ? homeBeside({k}) : shardings_.replicated(layers_.allDevices()));
        }
        SlotHome home{{k}, homes_[k], {}};
        if (!slot.next.isNone()) {
            const ShardingId at = writer_.shardingOf(homes_[k]);
            const ValueId next = remap(slot.next);
            home.next = writer_.find(next, at); // most next values were computed at the home
            if (home.next.isNone()) {
                const ChangeReason reason{.from = slot.origin,
                                          .to = slot.origin,
                                          .value = slot.next,
                                          .name = slot.name + " kept"};
                home.next = writer_.bring(graph_.get(), next, at, reason);
            }
        }
        plan.slots.push_back(home);
    }
}

/// Replicates scalars together, and gathers outputs on request. A series keeps its placement: most
/// steps do not need it, and otherwise each device's part is fetched.
void Placer::finishResults() {
    Plan& plan = writer_.plan();
    const ShardingId everywhere = shardings_.replicated(layers_.allDevices());
    const auto isGathered = [&](const Result& result) {
        return result.kind == ResultKind::output ? request_.gathersOutputs
                                                 : result.kind != ResultKind::series;
    };
    std::vector<ValueId> together;
    for (const Result& result : given_->results) {
        const ValueId value = remap(result.value);
        if (writer_.placementsOf(value).empty()) {
            placeForFirstUse(value, everywhere);
        }
        if (isGathered(result)) {
            together.push_back(value);
        }
    }
    writer_.bringTogether(graph_.get(), together, everywhere, "results");
    for (const Result& result : given_->results) {
        const ValueId value = remap(result.value);
        const ShardingId made = writer_.placementsOf(value).front().sharding;
        const ShardingId target = isGathered(result) ? everywhere
                                  : result.kind == ResultKind::series
                                      ? made
                                      : shardings_.withoutPartial(made);
        const ChangeReason reason{
            .from = result.origin, .to = result.origin, .value = value, .name = result.name};
        plan.results.push_back(writer_.bring(graph_.get(), value, target, reason));
    }
}

void Placer::finishFeeds() {
    for (std::uint32_t k = 0; k < feeds_.size(); ++k) {
        if (feeds_[k].isNone()) {
            feeds_[k] = writer_.addPlaced(given_->feeds[k].value,
                                          shardings_.replicated(layers_.allDevices()), {});
        }
    }
    writer_.plan().feeds = feeds_;
}

/// Updates the graph's references to values that were replaced by others.
void Placer::finishRemapped() {
    if (remapped_.empty()) {
        return;
    }
    Graph& graph = graph_.editableCopy();
    for (Result& result : graph.results) {
        result.value = remap(result.value);
    }
    for (Slot& slot : graph.slots) {
        slot.next = remap(slot.next);
    }
    for (ValueId& output : graph.bodyOutputs) {
        output = remap(output);
    }
    for (ValueId& gradient : graph.gradients) {
        gradient = remap(gradient);
    }
}

} // namespace weft
