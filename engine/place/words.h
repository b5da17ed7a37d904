// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interprets an assignment for one node: which letter it splits, or in one sentence why it cannot.
// The sentences are shown to the design's author.

#include "place/rule_book.h"
#include <weft/legal_word.h>

#include <string>
#include <vector>

namespace weft {

/// How a node can follow an assignment on an axis.
struct WordFit {
    enum class Kind : std::uint8_t {
        lacks,   ///< the node has no such letter, or cannot split it: it follows
        row,     ///< a row of the node splits the letter
        expands, ///< the letter is kept whole, but the op's expansion can split it
    };
    Kind kind = Kind::lacks;
    Letter letter = noLetter; ///< the letter to split
    std::int64_t grain = 1;   ///< parts are multiples of it
};

[[nodiscard]] WordFit fitOf(const Node& node, const NodeRule& rule, AxisWord word);

/// A forward node of a layer. The layer supports an assignment if one of its nodes does.
struct WordNode {
    const Node* node = nullptr;
    const NodeRule* rule = nullptr;
};
/// True if batch elements of these nodes are separate networks.
[[nodiscard]] bool areApart(const std::vector<WordNode>& nodes); ///< batch elements share nothing
[[nodiscard]] LegalWord legalityOf(const std::vector<WordNode>& nodes, AxisWord word);

} // namespace weft
