// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules of a graph's nodes: strings are parsed and rows derived once per op and shapes.

#include "graph/op.h"
#include "place/rows.h"
#include "place/shardings.h"

#include <memory>
#include <vector>

namespace weft {

struct NodeRule {         ///< an op's parsed placement rule, for one set of shapes
    std::uint32_t id = 0; ///< number: nodes with equal ids share one rule
    const Op* op = nullptr;
    Rule rule;
    std::vector<std::int64_t> sizes;   ///< size per letter
    std::vector<bool> isInteger;       ///< per operand
    std::vector<PlacementRow> rows;    ///< includes letters of size one, but none that move borders
    std::vector<Letter> borderLetters; ///< letters that need an exchange of borders to be split

    [[nodiscard]] std::int64_t size(Letter letter) const {
        return sizes[static_cast<std::size_t>(letter)];
    }
    [[nodiscard]] bool hasRow(Letter letter) const; ///< a row splits the letter
    /// Returns the product of the factors after the letter in that dim: the stride of the letter.
    [[nodiscard]] std::int64_t strideOf(const RuleDim& dim, int factor) const;
};

class RuleBook { ///< cache of rules
public:
    struct Entry {
        const NodeRule* rule = nullptr; ///< stays valid as long as the book
        std::uint32_t kind = 0;         ///< number of nodes with equal op, attributes and types
    };
    Entry entryFor(const Graph& graph, const Node& node);
    const NodeRule& ruleOf(const Graph& graph, const Node& node) {
        return *entryFor(graph, node).rule;
    }

private:
    const NodeRule& find(const Graph& graph, const Node& node);

    NodeKinds kinds_;                     ///< numbers of nodes with equal op, attributes and types
    std::vector<const NodeRule*> byKind_; ///< cache, by number of the kind
    ByNumbers<std::unique_ptr<NodeRule>> rules_;                ///< by op, string and shapes
    std::map<std::string, std::uint64_t, std::less<>> strings_; ///< number of each placement string
};

} // namespace weft
