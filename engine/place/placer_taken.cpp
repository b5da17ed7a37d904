// SPDX-License-Identifier: Apache-2.0
// A placing after another: what a node leaves behind depends on its layer's words, on how its
// operands are held when its turn comes, and on where its results are wanted. Where all of that is
// as it was, the last placing's step is taken over.
#include "place/placer.h"

#include <algorithm>

namespace weft {

Placer::Step Placer::beginStep(std::uint32_t n) {
    return {writer_.beginStep(n + 1), graph_.nextNode(),
            static_cast<std::uint32_t>(graph_.values())};
}

void Placer::endStep(std::uint32_t n, bool isTaken) {
    Step& step = steps_[n];
    const bool isExpanded = graph_.nextNode().value != step.node.value + 1;
    if (!isTaken) {
        step.readsHeldBack = writer_.readsBuckets(step.begin, writer_.mark());
    }
    step.isPlain = writer_.isPlain() && remapped_.empty() && !given_->nodes[n].body &&
                   !(isExpanded && step.readsHeldBack);
}

void Placer::follow() {
    if (last_ == nullptr) {
        return;
    }
    now_ = request_.before.values;
    then_.resize(given_->values.size());
    for (std::uint32_t v = 0; v < now_.size(); ++v) {
        if (!now_[v].isNone()) {
            then_[now_[v].value] = {v};
        }
    }
    writer_.takeTypes(last_->writer_, *given_, then_);
    graph_.follow(last_->graph_, now_);
}

bool Placer::takeOver(std::uint32_t n) {
    if (last_ == nullptr || request_.before.nodes[n].isNone() || !remapped_.empty()) {
        return false;
    }
    const std::uint32_t then = request_.before.nodes[n].value;
    const Step& from = last_->steps_[then];
    const Node& node = given_->nodes[n];
    if (!from.isPlain || !isLayerAsBefore(n) || !findsTheSame(node, then + 1)) {
        return false;
    }
    const Step& to = last_->steps_[then + 1];
    const NodeId first = graph_.nextNode();
    steps_[n].readsHeldBack = from.readsHeldBack;
    if (graph_.follows()) {
        graph_.take(from.node.value, to.node.value, from.values, to.values, now_);
        writer_.grow(graph_.get());
        for (std::uint32_t k = from.values; k < to.values; ++k) {
            layers_.setData(now_[k], last_->layers_.isData({k}));
        }
    } else {
        graph_.append(node);
    }
    writer_.takeOver({.last = &last_->writer_,
                      .from = from.begin,
                      .to = to.begin,
                      .values = &now_,
                      .firstNode = from.node.value,
                      .node = first,
                      .isBackward = node.pass == Pass::backward,
                      .readsHeldBack = from.readsHeldBack});
    settleTaken(steps_[n].begin);
    return true;
}

bool Placer::isLayerAsBefore(std::uint32_t n) {
    const LayerIndex layer = layers_.indexOf(NodeId{n});
    const MeshId first = layers_.isSettled(layer) ? MeshId{} : meshOfOperands(given_->nodes[n]);
    return layers_.settled(layer, first).isAsBefore;
}

/// Homes and feeds that the step settled.
void Placer::settleTaken(const PlanWriter::Mark& begin) {
    for (PlacedId id{begin.placed}; id.value < writer_.plan().values.size(); ++id.value) {
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

bool Placer::findsTheSame(const Node& node, std::uint32_t step) const {
    return std::ranges::all_of(node.inputs,
                               [&](ValueId input) { return isOperandSame(input, step); }) &&
           std::ranges::all_of(node.outputs,
                               [&](ValueId output) { return isResultSame(output, step); });
}

bool Placer::isHeldSame(ValueId value, std::uint32_t step) const {
    const ValueId then = then_[value.value];
    return !then.isNone() && writer_.isHeldAs(value, last_->writer_, then, step);
}

bool Placer::isOperandSame(ValueId input, std::uint32_t step) const {
    if (!isHeldSame(input, step) ||
        layers_.isData(input) != last_->layers_.isData(then_[input.value])) {
        return false;
    }
    if (!writer_.held(input).empty()) {
        return true;
    }
    // It is settled here: examples where their layer says, optimizer state with its parameter.
    const SlotId slot = slotOf(input);
    const SlotId of = slot.isNone() ? SlotId{} : given_->at(slot).of;
    return !slot.isNone() && (of.isNone() || isHeldSame(given_->at(of).value, step));
}

/// It goes where it went: to the home of a slot, or as the values lie whose gradient it is.
bool Placer::isResultSame(ValueId output, std::uint32_t step) const {
    const ValueId then = then_[output.value];
    if (then.isNone()) {
        return false;
    }
    const SlotId kept = becomes_[output.value];
    if (kept.isNone() != last_->becomes_[then.value].isNone() ||
        (!kept.isNone() && !isHeldSame(given_->at(kept).value, step))) {
        return false;
    }
    return std::ranges::equal(
        forwardOf(output), last_->forwardOf(then), [&](const auto& now, const auto& was) {
            const ValueId value = now.second;
            if (then_[value.value] != was.second || !isHeldSame(value, step)) {
                return false;
            }
            const NodeId first = firstWire_[value.value];
            const NodeId firstThen = last_->firstWire_[was.second.value];
            return first.isNone() ? firstThen.isNone()
                                  : request_.before.nodes[first.value] == firstThen;
        });
}

} // namespace weft
