// SPDX-License-Identifier: Apache-2.0
// What nobody reads of a plan, and a plan that goes on with an earlier one.
#include "place/plan_writer.h"

#include <algorithm>
#include <iterator>

namespace weft {

namespace {

/// Values that are read, and nodes without which they would not be there.
struct Uses {
    std::vector<bool> isUsed;
    std::vector<bool> isUnread; ///< by node
};

Uses usesIn(const Plan& plan, const std::vector<PlanNodeId>& order) {
    Uses uses{std::vector<bool>(plan.values.size(), false),
              std::vector<bool>(plan.nodes.size(), false)};
    std::vector<bool>& isUsed = uses.isUsed;
    const auto use = [&](PlacedId id) {
        if (!id.isNone()) {
            isUsed[id.value] = true;
        }
    };
    std::ranges::for_each(plan.feeds, use);
    std::ranges::for_each(plan.results, use);
    for (const SlotHome& home : plan.slots) {
        use(home.home);
        use(home.next);
    }
    for (std::size_t k = order.size(); k-- > 0;) {
        const PlanNode& node = plan.at(order[k]);
        const bool isUnread =
            node.node.isNone() &&
            std::ranges::none_of(node.outputs, [&](PlacedId id) { return isUsed[id.value]; });
        if (isUnread) {
            uses.isUnread[order[k].value] = true;
        } else {
            std::ranges::for_each(node.inputs, use);
            std::ranges::for_each(node.outputs, use);
        }
    }
    return uses;
}

} // namespace

std::vector<PlanNodeId> PlanWriter::order() const {
    const Uses uses = usesIn(plan_, order_);
    std::vector<PlanNodeId> read;
    read.reserve(order_.size());
    std::ranges::copy_if(order_, std::back_inserter(read),
                         [&](PlanNodeId id) { return !uses.isUnread[id.value]; });
    return read;
}

Plan PlanWriter::take() {
    const auto [isUsed, isUnread] = usesIn(plan_, order_);
    if (std::ranges::find(isUsed, false) == isUsed.end()) {
        return std::move(plan_);
    }
    std::vector<PlacedId> newPlaced(plan_.values.size());
    std::vector<PlanNodeId> newNode(plan_.nodes.size());
    std::vector<Placed> values;
    for (std::size_t k = 0; k < plan_.values.size(); ++k) {
        if (isUsed[k]) {
            newPlaced[k] = {static_cast<std::uint32_t>(values.size())};
            values.push_back(std::move(plan_.values[k]));
        }
    }
    std::vector<PlanNode> nodes;
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
        if (!isUnread[n]) {
            newNode[n] = {static_cast<std::uint32_t>(nodes.size())};
            nodes.push_back(std::move(plan_.nodes[n]));
        }
    }
    const auto renumber = [&](PlacedId& id) { id = id.isNone() ? id : newPlaced[id.value]; };
    for (Placed& placed : values) {
        placed.producer =
            placed.producer.isNone() ? placed.producer : newNode[placed.producer.value];
    }
    for (PlanNode& node : nodes) {
        std::ranges::for_each(node.inputs, renumber);
        std::ranges::for_each(node.outputs, renumber);
    }
    std::ranges::for_each(plan_.feeds, renumber);
    std::ranges::for_each(plan_.results, renumber);
    for (SlotHome& home : plan_.slots) {
        renumber(home.home);
        renumber(home.next);
    }
    std::erase_if(plan_.traffic,
                  [&](const WireTraffic& wire) { return newNode[wire.node.value].isNone(); });
    for (WireTraffic& wire : plan_.traffic) {
        wire.node = newNode[wire.node.value];
    }
    plan_.values = std::move(values);
    plan_.nodes = std::move(nodes);
    return std::move(plan_);
}

std::span<const PlanWriter::Held> PlanWriter::held(ValueId value) const {
    // Those of steps that are still to come stand behind those of steps that have been.
    const HeldList& list = held_[value.value];
    const auto* const end = std::ranges::find_if(
        list, [&](const Held& held) { return steps_[held.step].round != round_; });
    return {list.begin(), end};
}

bool PlanWriter::isWorthKeeping() const {
    return plan_.nodes.size() < 2 * order_.size() + 64 &&
           plan_.values.size() < 4 * order_.size() + 64;
}

void PlanWriter::follow(PlanWriter& last) {
    plan_ = std::move(last.plan_);
    held_ = std::move(last.held_);
    types_ = std::move(last.types_);
    isPending_ = std::move(last.isPending_);
    isHeldBack_ = std::move(last.isHeldBack_);
    waits_ = std::move(last.waits_);
    kinds_ = std::move(last.kinds_);
    states_ = std::move(last.states_);
    members_ = std::move(last.members_);
    steps_ = std::move(last.steps_);
    round_ = last.round_ + 1;
    steps_.front().round = round_;
    order_.reserve(last.order_.size() + 64);
    isTouched_.assign(types_.size(), false);
    plan_.slots.clear();
    plan_.feeds.clear();
    plan_.results.clear();
    std::erase_if(plan_.traffic, [&](const WireTraffic& wire) {
        return states_[wire.node.value] == NodeState::dropped;
    });
    for (const PlanNodeId node : last.bucketNodes_) {
        states_[node.value] = NodeState::dropped; // buckets are filled anew
    }
}

/// A bucket that the last plan had too.
bool PlanWriter::writeAsBefore(const std::vector<PlacedId>& inputs,
                               const std::vector<PlacedId>& outputs, const std::string& name) {
    const PlanNodeId last = plan_.at(outputs.front()).producer;
    if (last.isNone() || states_[last.value] != NodeState::dropped) {
        return false;
    }
    const PlanNode& node = plan_.at(last);
    if (node.inputs != inputs || node.outputs != outputs || node.name != name) {
        return false;
    }
    for (const PlacedId output : outputs) {
        isPending_[output.value] = false;
    }
    states_[last.value] = NodeState::ofBucket;
    bucketNodes_.push_back(last);
    order_.push_back(last);
    return true;
}

PlanWriter::StepNumber PlanWriter::newStep() {
    steps_.emplace_back();
    return static_cast<StepNumber>(steps_.size() - 1);
}

void PlanWriter::forget(const Step& step) {
    for (const PlacedId placed : membersOf(step)) {
        held_[plan_.at(placed).value.value].erase(placed);
    }
    for (std::uint32_t n = step.nodes; n < step.nodesEnd; ++n) {
        if (states_[n] == NodeState::ofStep) {
            states_[n] = NodeState::dropped;
        }
    }
}

void PlanWriter::drop(StepNumber number) {
    Step& step = steps_[number];
    forget(step);
    for (const PlacedId placed : membersOf(step)) {
        touch(plan_.at(placed).value);
    }
    step = {};
}

void PlanWriter::beginStep(StepNumber number) {
    Step& step = steps_[number];
    before_.assign(membersOf(step).begin(), membersOf(step).end());
    wasHeldBack_.clear();
    for (const PlacedId placed : before_) {
        wasHeldBack_.push_back(isHeldBack_[placed.value]);
    }
    forget(step);
    step_ = number;
    isPlain_ = true;
    step = {.placed = static_cast<std::uint32_t>(members_.size()),
            .placedEnd = static_cast<std::uint32_t>(members_.size()),
            .nodes = static_cast<std::uint32_t>(plan_.nodes.size()),
            .waits = static_cast<std::uint32_t>(waits_.size()),
            .round = round_};
}

/// The name that the open step gave the same thing before, so that whoever reads it need not know.
PlacedId PlanWriter::reused(ValueId value, SpreadId spread) {
    const auto found = std::ranges::find_if(before_, [&](PlacedId id) {
        return plan_.at(id).value == value && plan_.at(id).spread == spread && !isOfThisStep(id);
    });
    return found == before_.end() ? PlacedId{} : *found;
}

bool PlanWriter::isOfThisStep(PlacedId placed) const {
    return std::find(members_.begin() + steps_[step_].placed, members_.end(), placed) !=
           members_.end();
}

void PlanWriter::endStep(bool isExpanded) {
    Step& step = steps_[step_];
    step.placedEnd = static_cast<std::uint32_t>(members_.size());
    step.nodesEnd = static_cast<std::uint32_t>(plan_.nodes.size());
    step.waitsEnd = static_cast<std::uint32_t>(waits_.size());
    for (std::uint32_t n = step.nodes; n < step.nodesEnd; ++n) {
        step.readsHeldBack =
            step.readsHeldBack || std::ranges::any_of(plan_.nodes[n].inputs, [&](PlacedId id) {
                return isHeldBack_[id.value];
            });
    }
    const auto now = membersOf(step);
    for (const PlacedId placed : now) {
        step.settles =
            step.settles || (plan_.at(placed).producer.isNone() && !isHeldBack_[placed.value]);
    }
    step.isPlain = isPlain_ && !(isExpanded && step.readsHeldBack);
    bool isSame = std::ranges::equal(now, before_);
    for (std::size_t k = 0; isSame && k < now.size(); ++k) {
        isSame = isHeldBack_[now[k].value] == wasHeldBack_[k];
    }
    if (!isSame) {
        for (const PlacedId placed : now) {
            touch(plan_.at(placed).value);
        }
        for (const PlacedId placed : before_) {
            touch(plan_.at(placed).value);
        }
    }
    before_.clear();
}

bool PlanWriter::canTake(StepNumber number) const {
    const Step& step = steps_[number];
    std::int64_t bytes = 0;
    for (std::uint32_t k = step.waits; k < step.waitsEnd; ++k) {
        bytes += waits_[k].bytes;
    }
    // A bucket that it fills is written in the midst of it.
    const bool fills = bytes > 0 && (bytes >= bucketBytes_ ||
                                     std::ranges::any_of(buckets_, [&](const Bucket& bucket) {
                                         return bucket.bytes + bytes >= bucketBytes_;
                                     }));
    return step.isPlain && !fills;
}

void PlanWriter::take(StepNumber number, bool isBackward) {
    Step& step = steps_[number];
    if (step.readsHeldBack) {
        demandFor(step, isBackward);
    }
    step.round = round_;
    for (std::uint32_t n = step.nodes; n < step.nodesEnd; ++n) {
        if (states_[n] == NodeState::ofStep) {
            order_.push_back({n});
        }
    }
    for (std::uint32_t k = step.waits; k < step.waitsEnd; ++k) {
        fill(k);
    }
}

/// How full a bucket is may be another than it was: what the step reads is asked for anew.
void PlanWriter::demandFor(const Step& step, bool isBackward) {
    needed_.clear();
    for (std::uint32_t n = step.nodes; n < step.nodesEnd; ++n) {
        if (states_[n] == NodeState::ofStep) {
            std::ranges::copy_if(plan_.nodes[n].inputs, std::back_inserter(needed_),
                                 [&](PlacedId id) { return isPending_[id.value]; });
        }
    }
    if (!needed_.empty()) {
        demand(needed_, isBackward);
    }
}

std::span<const PlacedId> PlanWriter::settledBy(StepNumber step) const {
    return steps_[step].settles ? membersOf(steps_[step]) : std::span<const PlacedId>();
}

} // namespace weft
