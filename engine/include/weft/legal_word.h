// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a layer allows a word of an assignment on a mesh axis of any extent.

#include <weft/assignment.h>

#include <cstdint>
#include <string>

namespace weft {

struct LegalWord {
    AxisWord word = AxisWord::follow; ///< word of an assignment
    std::string reason;               ///< why the layer never allows the word; empty: it may
    std::int64_t groups = 0; ///< groups that the word splits, one at least per part; 0: any number
    bool operator==(const LegalWord&) const = default;
};

/// Returns why the layer refuses the word on an axis with that many parts; empty: it is allowed.
[[nodiscard]] std::string refusalOf(const LegalWord& legal, std::int64_t parts);

} // namespace weft
