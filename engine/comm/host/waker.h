// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wakes a thread that sleeps in poll(), and lets a thread detect that it was suspended: a process
// that was stopped, or a suspended machine, must not judge others by that time.

#include "base/files/files.h"

#include <chrono>

namespace weft {

class Waker {
public:
    Waker();
    [[nodiscard]] int descriptor() const { return event_.get(); }
    /// Thread-safe.
    void wake() const;
    void clear() const; ///< called by the sleeping thread after it has woken

private:
    FileHandle event_; ///< an eventfd, or the like
};

/// Detects suspension: if its owner calls it often, a long time between two calls means that the
/// owner itself was suspended.
class SuspensionDetector {
public:
    using Clock = std::chrono::steady_clock;
    /// True if more than `limit` has passed since the last call.
    [[nodiscard]] bool wasSuspended(Clock::time_point now, std::chrono::milliseconds limit) {
        const bool slept = now - lastCall_ > limit;
        lastCall_ = now;
        return slept;
    }

private:
    Clock::time_point lastCall_ = Clock::now();
};

} // namespace weft
