// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a layer can be told a word of an assignment, said for an axis of any number of parts.

#include <weft/assignment.h>

#include <cstdint>
#include <string>

namespace weft {

struct LegalWord {
    AxisWord word = AxisWord::follow;
    std::string reason; ///< why the layer can have it on no axis; empty: it can
    /// It divides so many groups, of which no part may be without one; 0: any number of parts.
    std::int64_t groups = 0;
    bool operator==(const LegalWord&) const = default;
};

/// Why the layer cannot have it on an axis of that many parts; empty: it can.
[[nodiscard]] std::string refusalOf(const LegalWord& legal, std::int64_t parts);

} // namespace weft
