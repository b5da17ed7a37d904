// SPDX-License-Identifier: Apache-2.0
#include "graph/node_kinds.h"

namespace weft {

std::size_t NumbersHash::operator()(const std::vector<std::uint64_t>& numbers) const noexcept {
    std::uint64_t hash = 0x9E3779B97F4A7C15U + numbers.size();
    for (const std::uint64_t number : numbers) {
        hash = (hash ^ number) * 0xBF58476D1CE4E5B9U;
        hash ^= hash >> 29U;
    }
    return hash;
}

std::uint32_t NodeKinds::numberOf(const Graph& graph, const Node& node) {
    key_.assign(1, reinterpret_cast<std::uintptr_t>(node.op));
    for (const auto* side : {&node.inputs, &node.outputs}) {
        key_.push_back(side->size());
        for (const ValueId id : *side) {
            const Value& value = graph.at(id);
            key_.push_back(value.shape.size() * 64 + static_cast<std::uint64_t>(value.dtype));
            key_.insert(key_.end(), value.shape.begin(), value.shape.end());
        }
    }
    auto& alike = numbers_[key_];
    for (const auto& [attributes, kind] : alike) {
        if (attributes == node.attributes) {
            return kind;
        }
    }
    alike.emplace_back(node.attributes, count_);
    return count_++;
}

} // namespace weft
