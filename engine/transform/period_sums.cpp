// SPDX-License-Identifier: Apache-2.0
#include "transform/period_sums.h"

#include <algorithm>

namespace weft {

std::size_t PeriodSums::add(const UpdateTerm& learnt, Takes takes, ValueId like) {
    Sum& sum = sums_.emplace_back(Sum{.learnt = learnt, .takes = takes});
    stamp(sum);
    sum.kept = slotFor(sum, nameOf(sum), SlotKind::accumulator, like);
    const bool waits = isLate(training_) && !isAloneLate() && (does_.reduces || does_.applies);
    if (waits) {
        sum.pending = slotFor(sum, sum.isCount() ? "pending_count" : "pending",
                              SlotKind::optimizerState, like);
    }
    return sums_.size() - 1;
}

SlotId PeriodSums::slotFor(const Sum& sum, const std::string& name, SlotKind kind, ValueId like) {
    const Value& value = graph_.at(like);
    const Slot& of = graph_.at(sum.learnt.slot);
    return builder_.addSlot({.name = of.name + "/" + name,
                             .kind = kind,
                             .dtype = value.dtype,
                             .shape = value.shape,
                             .initialiser = {},
                             .origin = {},
                             .value = {},
                             .of = sum.learnt.slot,
                             .isPerElement = of.isPerElement,
                             .isCount = sum.isCount()});
}

void PeriodSums::run() {
    // In the order of the gradients, so that sums that share a collective are ready together.
    std::vector<Sum*> order;
    std::ranges::transform(sums_, std::back_inserter(order), [](Sum& sum) { return &sum; });
    std::ranges::stable_sort(order, {}, [](const Sum* sum) { return sum->learnt.value; });
    for (Sum& sum : sums_) {
        comesHomeAs(graph_.at(sum.learnt.slot).value, {});
    }
    if (isLate(training_) && does_.reduces) {
        const std::size_t first = graph_.nodes.size();
        for (Sum* sum : order) {
            reduce(*sum);
        }
        moveBeforeBackward(first);
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
    stamp(sum);
    const ValueId kept = builder_.valueOf(sum.kept);
    const SlotId home = sum.pending.isNone() ? sum.learnt.slot : sum.pending;
    if (!sum.pending.isNone() || !sum.isCount()) {
        comesHomeAs(graph_.at(home).value, kept);
    } else {
        graph_.counts.push_back({home, kept});
    }
    sum.whole = builder_.add("scale", {kept}, {{"factor", shareOf(sum)}});
}

void PeriodSums::accumulate(Sum& sum) {
    stamp(sum);
    const ValueId kept = builder_.valueOf(sum.kept);
    const bool startsAnew = isLate(training_) && does_.reduces;
    if (!does_.adds) {
        builder_.write(sum.kept, builder_.add("scale", {kept}, {{"factor", 0.0}}));
        return;
    }
    comesHomeAs(kept, sum.learnt.value);
    if (startsAnew) {
        builder_.write(sum.kept, builder_.add("replace", {kept, sum.learnt.value}));
        return;
    }
    const ValueId total = builder_.add("add", {kept, sum.learnt.value});
    builder_.name(total, graph_.at(sum.learnt.slot).name + " " + nameOf(sum));
    if (isLate(training_) || !does_.applies) {
        builder_.write(sum.kept, total);
        return;
    }
    sum.whole = total;
    if (sum.isCount()) {
        graph_.counts.push_back({sum.learnt.slot, total});
    } else {
        comesHomeAs(graph_.at(sum.learnt.slot).value, total);
    }
}

void PeriodSums::apply(Sum& sum) {
    stamp(sum);
    if (!sum.pending.isNone() && does_.reduces) {
        builder_.write(sum.pending,
                       builder_.add("replace", {builder_.valueOf(sum.pending), sum.whole}));
    }
    if (!does_.applies) {
        return;
    }
    if (isLate(training_)) {
        sum.applied = sum.pending.isNone() ? sum.whole : builder_.valueOf(sum.pending);
        return;
    }
    sum.applied = sum.takes == Takes::mean
                      ? builder_.add("scale", {sum.whole}, {{"factor", shareOf(sum)}})
                      : sum.whole;
    builder_.write(sum.kept,
                   builder_.add("scale", {builder_.valueOf(sum.kept)}, {{"factor", 0.0}}));
}

double PeriodSums::shareOf(const Sum& sum) const {
    return sum.takes == Takes::mean ? 1 / static_cast<double>(training_.syncEvery) : 1;
}

void PeriodSums::stamp(const Sum& sum) {
    builder_.setOrigin(graph_.at(sum.learnt.slot).origin);
    builder_.setRole(graph_.at(sum.learnt.slot).name + "/" + nameOf(sum));
}

/// Lets `value` be reduced to the placement of a parameter, like `gradient`.
void PeriodSums::comesHomeAs(ValueId value, ValueId gradient) {
    graph_.gradients.resize(graph_.values.size());
    graph_.gradients[value.value] = gradient;
}

/// Lets the exchange overlap with the step: collectives run in the order of the graph, so this
/// moves the new nodes before the backward pass with its collectives.
void PeriodSums::moveBeforeBackward(std::size_t first) {
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
