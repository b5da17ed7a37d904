// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules of a graph's nodes: strings are parsed and rows derived once per op and shapes.

#include "graph/op.h"
#include "place/rows.h"
#include "place/shardings.h"

#include <memory>
#include <vector>

namespace weft {

struct NodeRule {
    std::uint32_t id = 0;
    const Op* op = nullptr;
    Rule rule;
    std::vector<std::int64_t> sizes; ///< size per letter
    std::vector<bool> isInteger;     ///< per operand
    std::vector<Row> rows;           ///< includes letters of size one, but none that move borders
    std::vector<Letter> borders; ///< letters that could only be split with an exchange of borders

    [[nodiscard]] std::int64_t size(Letter letter) const {
        return sizes[static_cast<std::size_t>(letter)];
    }
    [[nodiscard]] bool hasRow(Letter letter) const;
    /// Returns the product of the factors after the letter in that dim: the stride of the letter.
    [[nodiscard]] std::int64_t step(const RuleDim& dim, int factor) const;
};

class RuleBook {
public:
    struct Entry {
        const NodeRule* rule = nullptr; ///< stays valid as long as the book
        std::uint32_t kind = 0;         ///< number of nodes with equal op, attributes and types
    };
    Entry look(const Graph& graph, const Node& node);
    const NodeRule& of(const Graph& graph, const Node& node) { return *look(graph, node).rule; }

private:
    const NodeRule& find(const Graph& graph, const Node& node);

    NodeKinds kinds_;
    std::vector<const NodeRule*> byKind_;
    ByNumbers<std::unique_ptr<NodeRule>> rules_;
    std::map<std::string, std::uint64_t, std::less<>> strings_;
};

} // namespace weft
