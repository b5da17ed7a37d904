// SPDX-License-Identifier: Apache-2.0
#include "events/rank_clock.h"

#include <algorithm>
#include <limits>

namespace weft {

void RankClock::add(std::int64_t time, Nanoseconds offset, Nanoseconds error) {
    error_ = std::max(error_, error);
    if (measures_.empty()) {
        measures_.push_back({time, offset.count, std::numeric_limits<std::int64_t>::min()});
        return;
    }
    time = std::max(time, measures_.back().time);
    measures_.push_back({time, offset.count, toRank0(time)});
}

std::int64_t RankClock::toRank0(std::int64_t time) const {
    if (measures_.empty()) {
        return time;
    }
    const auto after = std::ranges::upper_bound(measures_, time, {}, &Measure::time);
    const Measure& holds = after == measures_.begin() ? *after : *(after - 1);
    return std::max(time + holds.offset, holds.earliest);
}

} // namespace weft
