// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the parts of a letter begin. The borders belong to the letter: every value of a node that
// has it is cut at the same places. They are taken from an operand that is split on the letter
// already, or else balanced in the letter's grain.

#include "place/choose.h"

#include <vector>

namespace weft {

/// In units of the letter; several rows where an earlier axis splits the same letter.
struct LetterCut {
    std::vector<std::int64_t> cuts;
    std::int64_t grain = 1;
    bool operator==(const LetterCut&) const = default;
};
using LetterCuts = std::vector<LetterCut>; ///< per mesh axis; without cuts where nothing is split

/// The choices of cuts for these rows, one per axis: what operands have, or the balanced ones.
[[nodiscard]] std::vector<LetterCuts> cutsFor(const Shardings& shardings, const Question& question,
                                              const std::vector<const Row*>& rows);

/// Fewer positions than members: one has none.
[[nodiscard]] bool hasEmptyPart(const LetterCut& cut, std::int64_t parts);

/// The value's Split when the letter is cut so.
[[nodiscard]] Placement splitOf(const NodeRule& rule, const RuleValue& value, Letter letter,
                                const LetterCut& cut);

/// The first factor of a dim whose size is not one; the first of all when all are.
[[nodiscard]] Letter majorOf(const NodeRule& rule, const RuleValue& value, int dim);

} // namespace weft
