// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records when all peers of a member had arrived at a collective. The member checks on arrival and
// at each poll. Used by one member's thread only.

#include "device/backend.h"

#include <cstdint>
#include <limits>

namespace weft {

class Meeting {
public:
    /// The member arrives.
    void begin() { *this = {}; }
    /// Calls `areThere()` until it has returned true once.
    template <class AreThere>
    void look(const AreThere& areThere) {
        if (!hasMet_ && areThere()) {
            hasMet_ = true;
            met_ = hasLooked_ ? nowNanoseconds() : std::numeric_limits<std::int64_t>::min();
        }
        hasLooked_ = true;
    }
    /// Returns the smallest time if nobody was missing on arrival.
    [[nodiscard]] std::int64_t met() const { return met_; }

private:
    bool hasMet_ = false;
    bool hasLooked_ = false;
    std::int64_t met_ = std::numeric_limits<std::int64_t>::min();
};

} // namespace weft
