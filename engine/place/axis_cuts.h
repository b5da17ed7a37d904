// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the borders between the parts of a split letter. Borders belong to the letter: every value
// of a node with this letter is cut at the same positions. They come from an operand that is
// already split on the letter, or else are balanced in multiples of the letter's grain.

#include "place/choose.h"

#include <vector>

namespace weft {

/// The positions at which one mesh axis cuts the dim that a letter of a placement string names. If
/// an earlier axis cuts the same letter, one list of positions follows another, one per part.
struct AxisCuts {
    std::vector<std::int64_t> cuts; ///< positions: begin of each part, and the end
    std::int64_t grain = 1;         ///< the parts are multiples of it
    bool operator==(const AxisCuts&) const = default;
};
/// The cuts of one node: an entry per mesh axis, with empty cuts on axes where nothing is split.
using CutsPerAxis = std::vector<AxisCuts>; ///< cuts of one node

/// Returns the candidate cuts for these rows (one row per axis): those of the operands, or the
/// balanced ones.
[[nodiscard]] std::vector<CutsPerAxis> candidateCuts(const Shardings& shardings,
                                                     const PlacementQuestion& question,
                                                     const std::vector<const PlacementRow*>& rows);

/// True if there are fewer positions than parts, so that a part is empty.
[[nodiscard]] bool hasEmptyPart(const AxisCuts& cut, std::int64_t parts);

/// Returns the value's Split for these cuts of the letter.
[[nodiscard]] Placement splitOf(const NodeRule& rule, const RuleValue& value, Letter letter,
                                const AxisCuts& cut);

/// Returns the first factor of a dim whose size is not one, or the first factor if all sizes are
/// one.
[[nodiscard]] Letter majorFactorOf(const NodeRule& rule, const RuleValue& value, int dim);

} // namespace weft
