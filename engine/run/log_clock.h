// SPDX-License-Identifier: Apache-2.0
#pragma once
// What makes the times of this rank's log those of rank 0's: the difference of their begins where
// both read one steady clock, else that and how far their clocks are apart, which the host channel
// measures again every few seconds. Asked by the thread that puts the steps' spans, so that a
// measure is in the log before the first span that it holds for.

#include "comm/host/clock_probe.h"
#include "comm/world.h"
#include "events/log.h"
#include "run/watchdog.h"

#include <cstdint>
#include <optional>

namespace weft {

class LogClock {
public:
    /// All ranks make it at the same point. The watchdog outlives it.
    LogClock(const EventLog& log, World& world, Watchdog& watchdog);

    /// Once, before the first step; nothing on rank 0, and where it could not be measured.
    [[nodiscard]] std::optional<ClockMeasure> first();
    /// One that is new since then.
    [[nodiscard]] std::optional<ClockMeasure> next();
    /// This rank reads another clock than rank 0.
    [[nodiscard]] bool isMeasured() const { return isMeasured_; }

private:
    [[nodiscard]] std::optional<ClockMeasure> ofLog(std::optional<ClockMeasure> measure) const;

    Watchdog& watchdog_;
    bool isFirst_;
    bool isMeasured_ = false;
    std::int64_t difference_ = 0; ///< of the logs' begins, each by its own clock
};

} // namespace weft
