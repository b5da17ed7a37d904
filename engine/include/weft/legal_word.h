// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a layer allows a word of an assignment on a mesh axis of any extent.

#include <weft/assignment.h>

#include <cstdint>
#include <string>

namespace weft {

struct LegalWord {
    AxisWord word = AxisWord::follow;
    std::string reason; ///< why the layer never allows the word; empty: it may
    /// Number of groups that the word divides; each part needs at least one. 0: any number.
    std::int64_t groups = 0;
    bool operator==(const LegalWord&) const = default;
};

/// Returns why the layer refuses the word on an axis with that many parts; empty: it is allowed.
[[nodiscard]] std::string refusalOf(const LegalWord& legal, std::int64_t parts);

} // namespace weft
