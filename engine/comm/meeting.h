// SPDX-License-Identifier: Apache-2.0
#pragma once
// When all whom a member exchanges with were there: it looks as it arrives, and again whenever it
// asks how far things are. Used by one member's thread alone.

#include "device/backend.h"

#include <cstdint>
#include <limits>

namespace weft {

class Meeting {
public:
    /// The member arrives.
    void begin() { *this = {}; }
    /// `areThere()` is asked until it has said so once.
    template <class AreThere>
    void look(const AreThere& areThere) {
        if (!hasMet_ && areThere()) {
            hasMet_ = true;
            met_ = hasLooked_ ? nowNanoseconds() : std::numeric_limits<std::int64_t>::min();
        }
        hasLooked_ = true;
    }
    /// The distant past where nobody was missing.
    [[nodiscard]] std::int64_t met() const { return met_; }

private:
    bool hasMet_ = false;
    bool hasLooked_ = false;
    std::int64_t met_ = std::numeric_limits<std::int64_t>::min();
};

} // namespace weft
