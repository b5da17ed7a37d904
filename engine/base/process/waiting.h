// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waits with a timeout and a name; Error{timeout} tells what was waited for.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>

namespace weft {

/// A deadline shared by successive waits.
class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    explicit Deadline(std::chrono::nanoseconds limit) : limit_(limit), end_(Clock::now() + limit) {}

    [[nodiscard]] bool hasPassed() const { return Clock::now() >= end_; }
    [[nodiscard]] std::chrono::nanoseconds left() const {
        return std::max(end_ - Clock::now(), Clock::duration::zero());
    }
    [[nodiscard]] Clock::time_point end() const { return end_; }            ///< when it passes
    [[nodiscard]] std::chrono::nanoseconds limit() const { return limit_; } ///< the full wait

private:
    std::chrono::nanoseconds limit_;
    Clock::time_point end_;
};

/// Throws Error{timeout}: "no word for 10 s: waiting for the writer of events".
[[noreturn]] void
throwTimeout(std::string_view name, std::chrono::nanoseconds limit,
             std::string_view remedy = "check that the other process or device still runs");

/// Waits until `isMet` holds. `name` is what is waited for: "the last write of the log".
template <class Condition>
void waitFor(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
             const Deadline& deadline, std::string_view name, Condition isMet) {
    if (!changed.wait_until(lock, deadline.end(), std::move(isMet))) {
        throwTimeout(name, deadline.limit());
    }
}

template <class Condition>
void waitFor(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
             std::chrono::nanoseconds limit, std::string_view name, Condition isMet) {
    waitFor(changed, lock, Deadline(limit), name, std::move(isMet));
}

} // namespace weft
