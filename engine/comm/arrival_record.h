// SPDX-License-Identifier: Apache-2.0
#pragma once
// Records when all peers of a member had arrived at a collective. The member checks on arrival and
// at each poll. Used by one member's thread only.

#include "device/backend.h"

#include <cstdint>
#include <limits>

namespace weft {

class ArrivalRecord {
public:
    void begin() { *this = {}; } ///< the member arrives
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
    [[nodiscard]] std::int64_t met() const { return met_; } ///< when the last peer arrived

private:
    bool hasMet_ = false;                                         ///< all peers have arrived
    bool hasLooked_ = false;                                      ///< not the first check
    std::int64_t met_ = std::numeric_limits<std::int64_t>::min(); ///< min: none was late
};

} // namespace weft
