// SPDX-License-Identifier: Apache-2.0
#include "run/session/log_clock.h"

#include "base/process/steady_clock.h"
#include "run/train/agreement.h"

namespace weft {

LogClock::LogClock(const EventLog& log, World& world, Watchdog& watchdog)
    : watchdog_(watchdog), isFirst_(world.rank() == 0) {
    if (world.ranks() == 1) {
        return;
    }
    const RankIdentity mine{.clock = steadyClockName()};
    const ClockBegin first = broadcastClock({mine.clock, log.clockBegin()}, world);
    isMeasured_ = !isFirst_ && !mine.sharesClockWith({.clock = first.name});
    difference_ = log.clockBegin() - first.begin;
}

std::optional<ClockMeasure> LogClock::firstMeasure() {
    constexpr std::chrono::seconds limit{10};
    if (isFirst_) {
        return std::nullopt;
    }
    return ofLog(isMeasured_ ? watchdog_.awaitClock(limit) : ClockMeasure{});
}

std::optional<ClockMeasure> LogClock::newMeasure() {
    return isMeasured_ ? ofLog(watchdog_.newClock()) : std::nullopt;
}

std::optional<ClockMeasure> LogClock::ofLog(std::optional<ClockMeasure> measure) const {
    if (measure) {
        measure->offset += difference_;
    }
    return measure;
}

} // namespace weft
