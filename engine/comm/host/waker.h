// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a thread that sleeps in poll() is woken by, and how it tells that it was asleep itself: a
// process that was stopped, or a machine that was suspended, must not judge others by that time.

#include "base/files.h"

#include <chrono>

namespace weft {

class Waker {
public:
    Waker();
    [[nodiscard]] int descriptor() const { return event_.get(); }
    /// From any thread.
    void wake() const;
    /// By the sleeper, once it has woken.
    void clear() const;

private:
    FileHandle event_;
};

/// A clock that its owner looks at often: a long time between two looks was the owner's own sleep.
class OwnSleep {
public:
    using Clock = std::chrono::steady_clock;
    /// True when more than `limit` has passed since the last look.
    [[nodiscard]] bool wasLong(Clock::time_point now, std::chrono::milliseconds limit) {
        const bool slept = now - last_ > limit;
        last_ = now;
        return slept;
    }

private:
    Clock::time_point last_ = Clock::now();
};

} // namespace weft
