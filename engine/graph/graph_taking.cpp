// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_taking.h"

#include <algorithm>

namespace weft {

GraphTaking::Mark GraphTaking::markOf(const Graph& graph) {
    return {static_cast<std::uint32_t>(graph.values.size()),
            static_cast<std::uint32_t>(graph.nodes.size()),
            static_cast<std::uint32_t>(graph.slots.size()),
            static_cast<std::uint32_t>(graph.feeds.size()),
            static_cast<std::uint32_t>(graph.results.size())};
}

bool GraphTaking::canTake(const Mark& from, const Mark& to) const {
    for (std::uint32_t n = from.nodes; n < to.nodes; ++n) {
        const bool isKnown = std::ranges::all_of(last_.nodes[n].inputs, [&](ValueId input) {
            return !now_[input.value].isNone() ||
                   (input.value >= from.values && input.value < to.values);
        });
        // Its gradient has changed a repeat.
        if (!isKnown || last_.nodes[n].body) {
            return false;
        }
    }
    return true;
}

void GraphTaking::set(ValueId then, ValueId now) {
    if (!now_[then.value].isNone()) {
        valueThen_[now_[then.value].value] = {};
    }
    now_[then.value] = now;
    if (valueThen_.size() <= now.value) {
        valueThen_.resize(now.value + 1);
    }
    valueThen_[now.value] = then;
}

void GraphTaking::pair(ValueId then, ValueId now) {
    const Value& was = last_.at(then);
    const Value& is = next_->at(now);
    const bool isMoved = now.value < isMoved_.size() && isMoved_[now.value];
    if (!isMoved && now_[then.value].isNone() && this->then(now).isNone() &&
        was.dtype == is.dtype && was.shape == is.shape && was.name == is.name) {
        set(then, now);
    }
}

void GraphTaking::pairFeed(const std::string& name) {
    const auto was = std::ranges::find(last_.feeds, name, &Feed::name);
    const auto is = std::ranges::find(next_->feeds, name, &Feed::name);
    if (was != last_.feeds.end() && is != next_->feeds.end()) {
        pair(was->value, is->value);
    }
}

void GraphTaking::forget(ValueId now) {
    const ValueId was = then(now);
    if (!was.isNone()) {
        now_[was.value] = {};
        valueThen_[now.value] = {};
        const NodeId producer = next_->at(now).producer;
        if (!producer.isNone() && producer.value < then_.size()) {
            then_[producer.value] = {};
        }
    }
}

void GraphTaking::take(const Mark& from, const Mark& to) {
    auto now = static_cast<std::uint32_t>(next_->values.size());
    const std::size_t values = now + to.values - from.values;
    isMoved_.resize(now, false);
    isMoved_.resize(values, true);
    valueThen_.resize(std::max(values, valueThen_.size()));
    for (std::uint32_t v = from.values; v < to.values; ++v) {
        set({v}, {now++});
        next_->values.push_back(std::move(last_.values[v]));
    }
    then_.resize(next_->nodes.size() + to.nodes - from.nodes);
    for (std::uint32_t n = from.nodes; n < to.nodes; ++n) {
        const NodeId id{static_cast<std::uint32_t>(next_->nodes.size())};
        Node& node = next_->nodes.emplace_back(std::move(last_.nodes[n]));
        for (ValueId& input : node.inputs) {
            input = now_[input.value];
        }
        for (ValueId& output : node.outputs) {
            output = now_[output.value];
            next_->at(output).producer = id;
        }
        then_[id.value] = {n};
    }
    for (std::uint32_t s = from.slots; s < to.slots; ++s) {
        const SlotId id{static_cast<std::uint32_t>(next_->slots.size())};
        takeSlot(next_->slots.emplace_back(std::move(last_.slots[s])), from, to);
        slotNow_[s] = id;
        slotThen_.resize(next_->slots.size());
        slotThen_[id.value] = {s};
    }
    for (std::uint32_t f = from.feeds; f < to.feeds; ++f) {
        Feed& feed = next_->feeds.emplace_back(std::move(last_.feeds[f]));
        feed.value = now_[feed.value.value];
    }
    for (std::uint32_t r = from.results; r < to.results; ++r) {
        Result& result = next_->results.emplace_back(std::move(last_.results[r]));
        result.value = now_[result.value.value];
    }
}

/// What it becomes was settled in this part, or is settled by a later one.
void GraphTaking::takeSlot(Slot& slot, const Mark& from, const Mark& to) {
    slot.value = now_[slot.value.value];
    const bool isHere =
        !slot.next.isNone() && slot.next.value >= from.values && slot.next.value < to.values;
    slot.next = isHere ? now_[slot.next.value] : ValueId{};
    slot.of = slot.of.isNone() ? SlotId{} : slotNow_[slot.of.value];
}

std::vector<NodeId> GraphTaking::takeNodes() {
    then_.resize(next_->nodes.size());
    return std::move(then_);
}

} // namespace weft
