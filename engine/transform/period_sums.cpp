// SPDX-License-Identifier: Apache-2.0
#include "transform/period_sums.h"

#include <algorithm>

namespace weft {

std::size_t PeriodSums::add(const UpdateTerm& term, AppliedAs appliedAs, ValueId like) {
    Sum& sum = sums_.emplace_back(Sum{.term = term, .appliedAs = appliedAs});
    setOriginAndRole(sum);
    sum.accumulator = slotFor(sum, nameOf(sum), SlotKind::accumulator, like);
    const bool waits = appliesOnePeriodLate(training_) && !reducesAndApplies() &&
                       (stepKind_.reduces || stepKind_.applies);
    if (waits) {
        sum.pending = slotFor(sum, sum.isCount() ? "pending_count" : "pending",
                              SlotKind::optimizerState, like);
    }
    return sums_.size() - 1;
}

SlotId PeriodSums::slotFor(const Sum& sum, const std::string& name, SlotKind kind, ValueId like) {
    const Value& value = graph_.at(like);
    const Slot& of = graph_.at(sum.term.slot);
    return builder_.addSlot({.name = of.name + "/" + name,
                             .kind = kind,
                             .dtype = value.dtype,
                             .shape = value.shape,
                             .initialiser = {},
                             .origin = {},
                             .value = {},
                             .of = sum.term.slot,
                             .isPerElement = of.isPerElement,
                             .isCount = sum.isCount()});
}

void PeriodSums::run() {
    // In the order of the gradients, so that sums that share a collective are ready together.
    std::vector<Sum*> order;
    std::ranges::transform(sums_, std::back_inserter(order), [](Sum& sum) { return &sum; });
    std::ranges::stable_sort(order, {}, [](const Sum* sum) { return sum->term.value; });
    for (Sum& sum : sums_) {
        markAsGradientOf(graph_.at(sum.term.slot).value, {});
    }
    if (appliesOnePeriodLate(training_) && stepKind_.reduces) {
        const std::size_t first = graph_.nodes.size();
        for (Sum* sum : order) {
            reduce(*sum);
        }
        moveNodesBeforeBackward(first);
    }
    for (Sum* sum : order) {
        accumulate(*sum);
    }
    for (Sum& sum : sums_) {
        apply(sum);
    }
}

/// Reduces the sum of the previous period over devices.
void PeriodSums::reduce(Sum& sum) {
    setOriginAndRole(sum);
    const ValueId sumBefore = builder_.valueOf(sum.accumulator);
    const SlotId home = sum.pending.isNone() ? sum.term.slot : sum.pending;
    if (!sum.pending.isNone() || !sum.isCount()) {
        markAsGradientOf(graph_.at(home).value, sumBefore);
    } else {
        graph_.counts.push_back({home, sumBefore});
    }
    sum.reduced = builder_.add("scale", {sumBefore}, {{"factor", factorOf(sum)}});
}

void PeriodSums::accumulate(Sum& sum) {
    setOriginAndRole(sum);
    const ValueId sumBefore = builder_.valueOf(sum.accumulator);
    const bool startsAnew = appliesOnePeriodLate(training_) && stepKind_.reduces;
    if (!stepKind_.adds) {
        builder_.write(sum.accumulator, builder_.add("scale", {sumBefore}, {{"factor", 0.0}}));
        return;
    }
    markAsGradientOf(sumBefore, sum.term.value);
    if (startsAnew) {
        builder_.write(sum.accumulator, builder_.add("replace", {sumBefore, sum.term.value}));
        return;
    }
    const ValueId total = builder_.add("add", {sumBefore, sum.term.value});
    builder_.name(total, graph_.at(sum.term.slot).name + " " + nameOf(sum));
    if (appliesOnePeriodLate(training_) || !stepKind_.applies) {
        builder_.write(sum.accumulator, total);
        return;
    }
    sum.reduced = total;
    if (sum.isCount()) {
        graph_.counts.push_back({sum.term.slot, total});
    } else {
        markAsGradientOf(graph_.at(sum.term.slot).value, total);
    }
}

void PeriodSums::apply(Sum& sum) {
    setOriginAndRole(sum);
    if (!sum.pending.isNone() && stepKind_.reduces) {
        builder_.write(sum.pending,
                       builder_.add("replace", {builder_.valueOf(sum.pending), sum.reduced}));
    }
    if (!stepKind_.applies) {
        return;
    }
    if (appliesOnePeriodLate(training_)) {
        sum.applied = sum.pending.isNone() ? sum.reduced : builder_.valueOf(sum.pending);
        return;
    }
    sum.applied = sum.appliedAs == AppliedAs::mean
                      ? builder_.add("scale", {sum.reduced}, {{"factor", factorOf(sum)}})
                      : sum.reduced;
    builder_.write(sum.accumulator,
                   builder_.add("scale", {builder_.valueOf(sum.accumulator)}, {{"factor", 0.0}}));
}

double PeriodSums::factorOf(const Sum& sum) const {
    return sum.appliedAs == AppliedAs::mean ? 1 / static_cast<double>(training_.syncEvery) : 1;
}

void PeriodSums::setOriginAndRole(const Sum& sum) {
    builder_.setOrigin(graph_.at(sum.term.slot).origin);
    builder_.setRole(graph_.at(sum.term.slot).name + "/" + nameOf(sum));
}

/// Lets `value` be reduced to the placement of a parameter, like `gradient`.
void PeriodSums::markAsGradientOf(ValueId value, ValueId gradient) {
    graph_.gradients.resize(graph_.values.size());
    graph_.gradients[value.value] = gradient;
}

/// Lets the exchange overlap with the step: collectives run in the order of the graph, so this
/// moves the new nodes before the backward pass with its collectives.
void PeriodSums::moveNodesBeforeBackward(std::size_t first) {
    const auto begin = graph_.nodes.begin();
    // Statistics are updated among the forward ops.
    const auto isForward = [](const Node& node) {
        return node.pass == Pass::forward || node.pass == Pass::metric;
    };
    const auto last = std::find_if(graph_.nodes.rbegin(), graph_.nodes.rend(), isForward);
    const auto at = last.base();
    const auto to = static_cast<std::uint32_t>(at - begin);
    const auto from = static_cast<std::uint32_t>(first);
    const auto count = static_cast<std::uint32_t>(graph_.nodes.size()) - from;
    std::rotate(at, begin + static_cast<std::ptrdiff_t>(first), graph_.nodes.end());
    for (Value& value : graph_.values) {
        std::uint32_t& node = value.producer.value;
        if (value.producer.isNone() || node < to) {
            continue;
        }
        node = node >= from ? node - from + to : node + count;
    }
}

} // namespace weft
