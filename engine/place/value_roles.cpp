// SPDX-License-Identifier: Apache-2.0
#include "place/value_roles.h"

#include <algorithm>
#include <numeric>

namespace weft {

void ValueRoles::fill(const Graph& graph) {
    roles_.assign(graph.values.size(), Role{});
    for (std::uint32_t k = 0; k < graph.slots.size(); ++k) {
        const Slot& slot = graph.slots[k];
        roles_[slot.value.value].slot = {k};
        if (!slot.next.isNone()) {
            roles_[slot.next.value].becomes = {k};
        }
    }
    for (std::uint32_t k = 0; k < graph.feeds.size(); ++k) {
        roles_[graph.feeds[k].value.value].feed = k;
    }
    findConsumers(graph);
    findGradients(graph);
}

void ValueRoles::findConsumers(const Graph& graph) {
    const auto originOf = [&](ValueId id) {
        const NodeId producer = graph.at(id).producer;
        const Role& role = roles_[id.value];
        return !producer.isNone()    ? graph.at(producer).origin
               : !role.slot.isNone() ? graph.at(role.slot).origin
               : role.feed           ? graph.feeds[*role.feed].origin
                                     : Origin{};
    };
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        if (node.pass != Pass::forward && node.pass != Pass::metric) {
            continue;
        }
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            Role& role = roles_[node.inputs[k].value];
            if (role.consumer.isNone() && originOf(node.inputs[k]) != node.origin) {
                role.consumer = {n};
                role.operand = k;
            }
        }
    }
}

void ValueRoles::findGradients(const Graph& graph) {
    forwardAt_.assign(roles_.size() + 1, 0);
    for (const ValueId gradient : graph.gradients) {
        if (!gradient.isNone()) {
            ++forwardAt_[gradient.value];
        }
    }
    std::partial_sum(forwardAt_.begin(), forwardAt_.end(), forwardAt_.begin());
    forward_.resize(forwardAt_.back());
    for (auto k = static_cast<std::uint32_t>(graph.gradients.size()); k-- > 0;) {
        if (!graph.gradients[k].isNone()) {
            forward_[--forwardAt_[graph.gradients[k].value]] = {k};
        }
    }
}

std::span<const ValueId> ValueRoles::forwardOf(ValueId gradient) const {
    if (gradient.value + 1 >= forwardAt_.size()) {
        return {};
    }
    const std::size_t first = forwardAt_[gradient.value];
    return std::span(forward_).subspan(first, forwardAt_[gradient.value + 1] - first);
}

void ValueRoles::setData(ValueId value, bool isData) {
    if (value.value >= roles_.size()) {
        roles_.resize(value.value + 1);
    }
    roles_[value.value].isData = isData;
}

} // namespace weft
