// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts the times of one rank's log to rank 0's clock. A measured offset is valid from its time
// until the next one; the first is also valid before. Converted times never go back: if the offset
// shrinks, they stand still until the clock catches up.

#include <weft/types.h>

#include <cstdint>
#include <vector>

namespace weft {

class RankClock {
public:
    /// Call in the order of times.
    void add(std::int64_t time, Nanoseconds offset, Nanoseconds error);
    /// Returns the time unchanged without measurements: for rank 0 and for old logs.
    [[nodiscard]] std::int64_t toFirst(std::int64_t time) const;
    /// The largest error of all measurements.
    [[nodiscard]] Nanoseconds error() const { return error_; }

private:
    struct Measure {
        std::int64_t time;
        std::int64_t offset;
        std::int64_t earliest; ///< earliest result from here on
    };
    std::vector<Measure> measures_;
    Nanoseconds error_;
};

} // namespace weft
