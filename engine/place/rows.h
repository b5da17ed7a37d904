// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rows of an op: for one mesh axis, how each operand and result may lie so that the results are
// right. Derived from the rule alone; rows multiply over axes.

#include "place/notation.h"
#include "place/placement.h"

#include <span>
#include <string>
#include <vector>

namespace weft {

struct Row {
    Letter letter = noLetter; ///< what is split; noLetter: nothing
    std::vector<Placement::Kind> operands;
    std::vector<Placement::Kind> results;
    bool movesBorders = false; ///< the letter stands in a window: parts of operands overlap

    [[nodiscard]] bool hasPartialOperand() const;
    [[nodiscard]] int partials() const;
    bool operator==(const Row&) const = default;
};

/// Letters of size one: nothing is gained by splitting them, but a batch of one over two devices is
/// such a letter, so that they may be asked for (of a composite's factors the last).
enum class UnitLetters : std::uint8_t { skip, keep };

/// All rows, those of no letter first, then by letter in order of appearance. `isInteger` says
/// which operands hold integers: they are never Partial.
[[nodiscard]] std::vector<Row> deriveRows(const Rule& rule, std::span<const std::int64_t> sizes,
                                          const std::vector<bool>& isInteger,
                                          UnitLetters units = UnitLetters::skip);

/// "S(0), R -> P": dims as the rule says.
[[nodiscard]] std::string toString(const Rule& rule, const Row& row);

} // namespace weft
