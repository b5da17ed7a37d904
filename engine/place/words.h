// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a word of an assignment means for one node: the letter it splits, or in one sentence why it
// cannot. The sentences are those shown to the design's author.

#include "place/rule_book.h"
#include <weft/legal_word.h>

#include <string>
#include <vector>

namespace weft {

/// How a node can have a word on an axis.
struct WordFit {
    enum class Kind : std::uint8_t {
        lacks,   ///< the node has no such letter, or cannot split it: it follows
        row,     ///< a row of the node splits the letter
        expands, ///< the letter is whole, but the op has a meaning in smaller ops
    };
    Kind kind = Kind::lacks;
    Letter letter = noLetter;
    std::int64_t grain = 1;
};

[[nodiscard]] WordFit fitOf(const Node& node, const NodeRule& rule, AxisWord word);

/// Forward node of a layer. The layer can have a word if one of its nodes can.
struct WordNode {
    const Node* node = nullptr;
    const NodeRule* rule = nullptr;
};
/// Its elements of the batch are networks of their own.
[[nodiscard]] bool areApart(const std::vector<WordNode>& nodes);
[[nodiscard]] LegalWord legalityOf(const std::vector<WordNode>& nodes, AxisWord word);

} // namespace weft
