// SPDX-License-Identifier: Apache-2.0
// A placing after another: what a node leaves behind depends on its layer's words, on how its
// operands are held when its turn comes, and on where its results are wanted. Where all of that is
// as it was, the step stays as it is.
#include "place/placer.h"

#include <algorithm>

namespace weft {

/// Values keep the numbers that the last plan gave them; new ones get new numbers.
void Placer::follow(Placer& last) {
    isFollowing_ = true;
    graph_.follow(last.graph_);
    writer_.follow(last.writer_);
    rolesBefore_ = std::move(last.roles_);
    end_ = last.end_;
    ownOf_.resize(given_->values.size());
    const std::vector<ValueId>& now = request_.before.values;
    for (std::uint32_t v = 0; v < now.size(); ++v) {
        if (!now[v].isNone()) {
            ownOf_[now[v].value] = last.ownOf_[v];
        }
    }
    for (std::uint32_t v = 0; v < ownOf_.size(); ++v) {
        if (ownOf_[v].isNone()) {
            ownOf_[v] = graph_.add(given_->values[v]);
        }
    }
    // What makes it now is not what made it then.
    for (const Slot& slot : given_->slots) {
        graph_.own().at(own(slot.value)).producer = {};
    }
    for (const Feed& feed : given_->feeds) {
        graph_.own().at(own(feed.value)).producer = {};
    }
    pairSteps(last);
}

/// Steps of both graphs, in an order that is that of both: a node that has come to stand before
/// others is another.
void Placer::pairSteps(const Placer& last) {
    steps_.assign(given_->nodes.size(), 0);
    std::vector<bool> isPaired(last.steps_.size(), false);
    NodeId next{0};
    for (std::uint32_t n = 0; n < steps_.size(); ++n) {
        const NodeId then = request_.before.nodes[n];
        if (!then.isNone() && then >= next) {
            steps_[n] = last.steps_[then.value];
            isPaired[then.value] = true;
            next = {then.value + 1};
        }
    }
    for (std::size_t n = 0; n < isPaired.size(); ++n) {
        if (!isPaired[n]) {
            writer_.drop(last.steps_[n]);
        }
    }
}

bool Placer::canTake(NodeId given, PlanWriter::StepNumber step) {
    const Node& node = given_->at(given);
    return remapped_.empty() && !node.body &&
           std::ranges::none_of(node.inputs,
                                [&](ValueId input) { return writer_.isTouched(own(input)); }) &&
           std::ranges::all_of(node.outputs,
                               [&](ValueId output) { return isResultSame(own(output)); }) &&
           writer_.canTake(step) && isLayerAsBefore(given) &&
           (writer_.settledBy(step).empty() || settlesTheSame(node));
}

bool Placer::isLayerAsBefore(NodeId given) {
    const LayerIndex layer = layers_.indexOf(given);
    MeshId first;
    if (!layers_.isSettled(layer)) {
        operands_.clear();
        for (const ValueId input : given_->at(given).inputs) {
            operands_.push_back(own(input));
        }
        first = meshOfOperands(operands_);
    }
    return layers_.settled(layer, first).isAsBefore;
}

/// Operands that lie nowhere yet are settled by the step: optimizer state with its parameter, but
/// examples where their layer says.
bool Placer::settlesTheSame(const Node& given) const {
    return std::ranges::all_of(given.inputs, [&](ValueId input) {
        const SlotId slot = slotOf(own(input));
        const SlotId of = slot.isNone() ? SlotId{} : given_->at(slot).of;
        return !writer_.held(own(input)).empty() ||
               (!slot.isNone() && (of.isNone() || !writer_.isTouched(own(given_->at(of).value))));
    });
}

/// Homes and feeds that the step settled.
void Placer::settleTaken(PlanWriter::StepNumber step) {
    for (const PlacedId id : writer_.settledBy(step)) {
        const Placed& placed = writer_.plan().at(id);
        if (!placed.producer.isNone()) {
            continue;
        }
        if (const SlotId slot = slotOf(placed.value); !slot.isNone()) {
            homes_[slot.value] = id;
        } else if (const auto feed = feedOf(placed.value)) {
            feeds_[*feed] = id;
        }
    }
}

/// It goes where it went: to the home of a slot, or as the values lie whose gradient it is.
bool Placer::isResultSame(ValueId output) const {
    const ValueRoles::Role& now = roles_.of(output);
    const ValueRoles::Role& was = rolesBefore_.of(output);
    if (now.becomes.isNone() != was.becomes.isNone() ||
        (!now.becomes.isNone() && writer_.isTouched(own(given_->at(now.becomes).value)))) {
        return false;
    }
    return std::ranges::equal(
        roles_.forwardOf(output), rolesBefore_.forwardOf(output), [&](ValueId value, ValueId then) {
            if (value != then || writer_.isTouched(value)) {
                return false;
            }
            const NodeId first = roles_.of(value).consumer;
            const NodeId firstThen = rolesBefore_.of(value).consumer;
            return first.isNone() ? firstThen.isNone()
                                  : request_.before.nodes[first.value] == firstThen;
        });
}

/// By value of the given graph: as it was made, not as it was brought elsewhere.
std::vector<PlacedId> Placer::madeValues() {
    const Plan& plan = writer_.plan();
    std::vector<PlacedId> made(ownOf_.size());
    for (std::size_t v = 0; v < made.size(); ++v) {
        for (const PlanWriter::Held& held : writer_.held(ownOf_[v])) {
            const PlanNodeId producer = plan.at(held.placed).producer;
            if (producer.isNone() || !plan.at(producer).node.isNone()) {
                made[v] = held.placed;
                break;
            }
        }
    }
    return made;
}

} // namespace weft
