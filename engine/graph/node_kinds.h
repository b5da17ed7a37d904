// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers for nodes that ask the same of their op: equal op, attributes and types of operands and
// results have one number. What depends on nothing else (rules, prices) is then worked out once.

#include "graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft {

/// Joins numbers to a hash.
struct NumbersHash {
    std::size_t operator()(const std::vector<std::uint64_t>& numbers) const noexcept;
};
template <class T>
using ByNumbers = std::unordered_map<std::vector<std::uint64_t>, T, NumbersHash>;

class NodeKinds {
public:
    /// Counted from 0 as they come.
    std::uint32_t of(const Graph& graph, const Node& node);

private:
    std::vector<std::uint64_t> key_; ///< kept for its memory
    ByNumbers<std::vector<std::pair<Attributes, std::uint32_t>>> known_;
    std::uint32_t count_ = 0;
};

} // namespace weft
