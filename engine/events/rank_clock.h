// SPDX-License-Identifier: Apache-2.0
#pragma once
// The clock of one rank's log as rank 0's. Each measure holds from its time until the next, the
// first one before its time too. Translated times never go back: where a later measure is the
// smaller one, they stand still until it has caught up, so that what followed each other still
// does.

#include <weft/types.h>

#include <cstdint>
#include <vector>

namespace weft {

class RankClock {
public:
    /// In the order of their times.
    void add(std::int64_t time, Nanoseconds offset, Nanoseconds error);
    /// As it is where nothing was measured: rank 0's own, or a log of earlier days.
    [[nodiscard]] std::int64_t toFirst(std::int64_t time) const;
    /// The largest of all measures.
    [[nodiscard]] Nanoseconds error() const { return error_; }

private:
    struct Measure {
        std::int64_t time;
        std::int64_t offset;
        std::int64_t earliest; ///< of rank 0's times from here on
    };
    std::vector<Measure> measures_;
    Nanoseconds error_;
};

} // namespace weft
