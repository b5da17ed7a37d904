// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rows of an op: for one mesh axis, the placements of operands and results that give correct
// results. Rows follow from the placement rule alone; with several axes their rows combine freely.

#include "place/notation.h"
#include "place/placement.h"

#include <span>
#include <string>
#include <vector>

namespace weft {

struct PlacementRow {         ///< legal placements of an op's operands and results on one mesh axis
    Letter letter = noLetter; ///< the split letter; noLetter: none
    std::vector<Placement::Kind> operands; ///< how each operand lies
    std::vector<Placement::Kind> results;  ///< how each result lies
    bool movesBorders = false; ///< the letter belongs to a window: parts of operands overlap

    [[nodiscard]] bool hasPartialOperand() const;
    [[nodiscard]] int partialCount() const; ///< number of Partial operands and results
    bool operator==(const PlacementRow&) const = default;
};

/// Letters of size one: splitting them gains nothing, but an assignment may request it, as for a
/// batch of one on two devices. Of a merged dim's factors only the last is kept.
enum class UnitLetters : std::uint8_t { skip, keep }; ///< rows that split a letter of size one

/// Returns all rows: first those without a letter, then by letter in order of appearance.
/// `isInteger` marks operands with integers, which are never Partial.
[[nodiscard]] std::vector<PlacementRow> deriveRows(const Rule& rule,
                                                   std::span<const std::int64_t> sizes,
                                                   const std::vector<bool>& isInteger,
                                                   UnitLetters units = UnitLetters::skip);

/// Returns "S(0), R -> P", with dims in the order of the rule.
[[nodiscard]] std::string toString(const Rule& rule, const PlacementRow& row);

} // namespace weft
