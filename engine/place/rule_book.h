// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rules of a graph's nodes: strings read and rows derived once per op and shapes.

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
    std::vector<std::int64_t> sizes; ///< of letters
    std::vector<bool> isInteger;     ///< of operands
    std::vector<Row> rows; ///< letters of size one are among them; those that move borders are not
    std::vector<Letter> borders; ///< letters that only an exchange of borders could split

    [[nodiscard]] std::int64_t size(Letter letter) const {
        return sizes[static_cast<std::size_t>(letter)];
    }
    [[nodiscard]] bool hasRow(Letter letter) const;
    /// The factors after the letter in that dim, multiplied: one step of the letter.
    [[nodiscard]] std::int64_t step(const RuleDim& dim, int factor) const;
};

class RuleBook {
public:
    struct Entry {
        const NodeRule* rule = nullptr; ///< stays valid and in place as long as the book
        std::uint32_t kind = 0;         ///< of nodes that ask the same of their op
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
