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
    void add(std::int64_t time, Nanoseconds offset, Nanoseconds error); ///< in the order of times
    /// Returns the time unchanged without measurements: for rank 0 and for old logs.
    [[nodiscard]] std::int64_t toRank0(std::int64_t time) const;
    /// The largest error of all measurements.
    [[nodiscard]] Nanoseconds error() const { return error_; } ///< largest of all measurements

private:
    struct Measure {
        std::int64_t time;     ///< when it was measured, by this rank's clock
        std::int64_t offset;   ///< rank 0's clock minus this rank's, in nanoseconds
        std::int64_t earliest; ///< converted times from here on are at least this
    };
    std::vector<Measure> measures_;
    Nanoseconds error_; ///< largest error of all measurements
};

} // namespace weft
