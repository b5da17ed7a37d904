// SPDX-License-Identifier: Apache-2.0
#include "schedule/predict/most_sent.h"

#include <algorithm>

namespace weft {

std::vector<std::uint32_t> numbersOf(const Plan& plan, const PlanNode& node) {
    std::vector<std::uint32_t> numbers{static_cast<std::uint32_t>(node.collective)};
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const Placed& from = plan.at(node.inputs[k]);
        numbers.insert(numbers.end(), {from.type.value, from.sharding.value,
                                       plan.at(node.outputs[k]).sharding.value});
    }
    return numbers;
}

bool areKnown(std::span<const std::uint32_t> numbers) {
    return std::ranges::find(numbers, TypeId::none) == numbers.end();
}

Bytes MostSentBytes::bytesOf(const Plan& plan, const PlanNode& node,
                             std::span<const DeviceId> members) {
    const std::vector<std::uint32_t> numbers = numbersOf(plan, node);
    std::vector<std::int64_t>& sent = areKnown(numbers) ? sentByKey_[numbers] : sentWithoutKey_;
    if (sent.empty() || &sent == &sentWithoutKey_) {
        sent = elementsSent(plan, node);
    }
    std::int64_t most = 0;
    for (const DeviceId member : members) {
        most = std::max(most, sent[member.value]);
    }
    return {most * static_cast<std::int64_t>(byteSize(plan.valueOf(node.inputs.front()).dtype))};
}

} // namespace weft
