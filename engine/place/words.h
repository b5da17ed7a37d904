// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a word of an assignment means for one node: the letter it splits, or in one sentence why it
// cannot. The sentences are those shown to the design's author.

#include "place/rule_book.h"
#include <weft/assignment.h>

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

/// Why these nodes, the forward of one layer, cannot have the word on an axis of that many parts;
/// empty: one of them can.
struct WordNode {
    const Node* node = nullptr;
    const NodeRule* rule = nullptr;
};
[[nodiscard]] std::string refusalOf(const std::vector<WordNode>& nodes, AxisWord word,
                                    std::int64_t parts);

} // namespace weft
