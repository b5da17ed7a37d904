// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers nodes so that nodes with equal op, attributes and types of operands and results share a
// number. Anything that depends only on these (rules, prices) is computed once per number.

#include "graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft {

/// Combines numbers to a hash.
struct NumbersHash {
    std::size_t operator()(const std::vector<std::uint64_t>& numbers) const noexcept;
};
template <class T>
using ByNumbers = std::unordered_map<std::vector<std::uint64_t>, T, NumbersHash>;

class NodeKinds {
public:
    /// Returns the node's number. Numbers are given from 0 in order of appearance.
    std::uint32_t numberOf(const Graph& graph, const Node& node);

private:
    std::vector<std::uint64_t> key_; ///< member only to reuse its memory
    ByNumbers<std::vector<std::pair<Attributes, std::uint32_t>>> numbers_; ///< by op and types
    std::uint32_t count_ = 0;                                              ///< numbers given so far
};

} // namespace weft
