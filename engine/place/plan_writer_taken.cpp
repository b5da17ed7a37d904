// SPDX-License-Identifier: Apache-2.0
// What nobody reads of a plan, and what the next plan takes over of it.
#include "place/plan_writer.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

/// Values that are read, and nodes without which they would not be there.
struct Uses {
    std::vector<bool> isUsed;
    std::vector<bool> isUnread; ///< by node
};

Uses usesIn(const Plan& plan) {
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
    for (std::size_t n = plan.nodes.size(); n-- > 0;) {
        const PlanNode& node = plan.nodes[n];
        uses.isUnread[n] =
            node.node.isNone() &&
            std::ranges::none_of(node.outputs, [&](PlacedId id) { return isUsed[id.value]; });
        if (!uses.isUnread[n]) {
            std::ranges::for_each(node.inputs, use);
            std::ranges::for_each(node.outputs, use);
        }
    }
    return uses;
}

} // namespace

std::vector<bool> PlanWriter::findUnread() const {
    Uses uses = usesIn(plan_);
    const bool isAny = std::ranges::find(uses.isUnread, true) != uses.isUnread.end();
    return isAny ? std::move(uses.isUnread) : std::vector<bool>();
}

Plan PlanWriter::take() {
    const auto [isUsed, isUnread] = usesIn(plan_);
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

void PlanWriter::takeTypes(const PlanWriter& last, const Graph& graph,
                           const std::vector<ValueId>& then) {
    types_.reserve(graph.values.size() + graph.values.size() / 2);
    for (std::size_t k = 0; k < then.size(); ++k) {
        types_.push_back(then[k].isNone()
                             ? spreads_.type(graph.values[k].dtype, graph.values[k].shape)
                             : last.types_[then[k].value]);
    }
}

PlanWriter::Mark PlanWriter::mark() const {
    return {static_cast<std::uint32_t>(plan_.values.size()),
            static_cast<std::uint32_t>(plan_.nodes.size()),
            static_cast<std::uint32_t>(plan_.traffic.size()),
            static_cast<std::uint32_t>(waits_.size())};
}

PlanWriter::Mark PlanWriter::beginStep(std::uint32_t step) {
    step_ = step;
    isPlain_ = true;
    begin_ = mark();
    return begin_;
}

bool PlanWriter::isHeldAs(ValueId value, const PlanWriter& last, ValueId then,
                          std::uint32_t step) const {
    const HeldList& now = held(value);
    const HeldList& before = last.held(then);
    std::size_t k = 0;
    for (const Held& was : before) {
        if (was.step >= step) {
            break;
        }
        if (k == now.size() || now.begin()[k].spread != was.spread) {
            return false;
        }
        ++k;
    }
    return k == now.size();
}

bool PlanWriter::readsBuckets(const Mark& from, const Mark& to) const {
    for (std::uint32_t n = from.nodes; n < to.nodes; ++n) {
        if (std::ranges::any_of(plan_.nodes[n].inputs,
                                [&](PlacedId id) { return isHeldBack_[id.value]; })) {
            return true;
        }
    }
    return false;
}

/// How a value under a placement is called now.
PlacedId PlanWriter::translate(const Taking& taking, PlacedId then) {
    PlacedId& now = nowOf_[then.value];
    if (now.isNone()) {
        const ValueId value = taking.last->plan_.at(then).value;
        now = find((*taking.values)[value.value], taking.last->plan_.at(then).spread);
        ensure(!now.isNone(), "what a step reads is there when it is taken over");
    }
    return now;
}

/// How full a bucket is may be another than it was: what the step reads is asked for anew.
void PlanWriter::demandFor(const Taking& taking) {
    needed_.clear();
    const PlanWriter& last = *taking.last;
    for (std::uint32_t n = taking.from.nodes; n < taking.to.nodes; ++n) {
        if (last.isBucket_[n]) {
            continue;
        }
        for (const PlacedId input : last.plan_.nodes[n].inputs) {
            if (last.isHeldBack_[input.value] && input.value < taking.from.placed) {
                const PlacedId now = translate(taking, input);
                if (isPending_[now.value]) {
                    needed_.push_back(now);
                }
            }
        }
    }
    if (!needed_.empty()) {
        demand(needed_, taking.isBackward);
    }
}

void PlanWriter::takeOver(const Taking& taking) {
    PlanWriter& last = *taking.last;
    nowOf_.resize(last.plan_.values.size());
    if (taking.readsHeldBack) {
        demandFor(taking);
    }
    std::uint32_t traffic = taking.from.traffic;
    std::uint32_t wait = taking.from.waits;
    for (PlacedId then{taking.from.placed}; then.value < taking.to.placed; ++then.value) {
        Placed& was = last.plan_.values[then.value];
        const ValueId value = (*taking.values)[was.value.value];
        const SpreadId spread = was.spread;
        if (last.isHeldBack_[then.value]) {
            Wait& held = last.waits_[wait++];
            const PlacedId input = translate(taking, held.input);
            nowOf_[then.value] = hold(input, value, spread, std::move(held.name), held.origin);
            continue;
        }
        const PlacedId now{static_cast<std::uint32_t>(plan_.values.size())};
        plan_.values.push_back({value, was.mesh, std::move(was.placements), {}, spread, was.type});
        isPending_.push_back(false);
        isHeldBack_.push_back(false);
        held_[value.value].push_back({spread, now, step_});
        nowOf_[then.value] = now;
        if (!was.producer.isNone() && last.plan_.at(was.producer).outputs.back() == then) {
            takeNode(taking, was.producer, traffic);
        }
    }
}

void PlanWriter::takeNode(const Taking& taking, PlanNodeId id, std::uint32_t& traffic) {
    Plan& then = taking.last->plan_;
    const PlanNodeId now{static_cast<std::uint32_t>(plan_.nodes.size())};
    PlanNode& node = plan_.nodes.emplace_back(std::move(then.nodes[id.value]));
    for (PlacedId& input : node.inputs) {
        input = translate(taking, input);
    }
    for (PlacedId& output : node.outputs) {
        output = nowOf_[output.value];
        plan_.values[output.value].producer = now;
    }
    if (!node.node.isNone()) {
        node.node = {node.node.value - taking.firstNode + taking.node.value};
    }
    isBucket_.push_back(false);
    for (; traffic < taking.to.traffic && then.traffic[traffic].node <= id; ++traffic) {
        if (then.traffic[traffic].node == id) {
            plan_.traffic.push_back(std::move(then.traffic[traffic]));
            plan_.traffic.back().node = now;
        }
    }
}

} // namespace weft
