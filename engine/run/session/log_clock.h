// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts the times of this rank's log to rank 0's clock. If both ranks read the same steady
// clock, only the begins of their logs differ; otherwise the host channel measures the offset every
// few seconds. The thread that writes spans asks for it, so that a measure precedes the first span
// that needs it.

#include "comm/host/clock_probe.h"
#include "comm/world.h"
#include "events/log.h"
#include "run/train/watchdog.h"

#include <cstdint>
#include <optional>

namespace weft {

class LogClock {
public:
    /// All ranks construct it at the same point. The watchdog must outlive it.
    LogClock(const EventLog& log, World& world, Watchdog& watchdog);

    /// Call once, before the first step. None on rank 0 and if the offset could not be measured.
    [[nodiscard]] std::optional<ClockMeasure> firstMeasure();
    /// Returns a measure that is newer than the last one returned, if there is one.
    [[nodiscard]] std::optional<ClockMeasure> newMeasure();
    /// True if this rank's clock is not rank 0's.
    [[nodiscard]] bool isMeasured() const { return isMeasured_; }

private:
    [[nodiscard]] std::optional<ClockMeasure> ofLog(std::optional<ClockMeasure> measure) const;

    Watchdog& watchdog_;
    bool isFirst_;
    bool isMeasured_ = false;
    std::int64_t difference_ = 0; ///< between the begins of the two logs, each by its own clock
};

} // namespace weft
