// SPDX-License-Identifier: Apache-2.0
#include "run/execute/bring_ahead.h"

#include "base/process/threads.h"

#include <utility>

namespace weft {

BringAhead::BringAhead(Prefetch& from, std::chrono::nanoseconds patience,
                       std::function<void(const Prefetch::FilledSlot&)> bring)
    : from_(from), patience_(patience), bring_(std::move(bring)) {
    thread_ = startThread("the feeds", [this] { work(); });
}

BringAhead::~BringAhead() {
    from_.stop();
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
    changed_.notify_all();
}

void BringAhead::work() {
    try {
        while (const auto filled = from_.take(Deadline(patience_))) {
            bring_(*filled);
            std::unique_lock lock(mutex_);
            brought_ = filled;
            changed_.notify_all();
            // No time limit: a run may pause for any time.
            changed_.wait(lock, [this] { return isStopped_ || !brought_; });
            if (isStopped_) {
                return;
            }
        }
        const std::lock_guard lock(mutex_);
        hasEnded_ = true;
    } catch (...) {
        const std::lock_guard lock(mutex_);
        error_ = std::current_exception();
    }
    changed_.notify_all();
}

std::optional<Prefetch::FilledSlot> BringAhead::take(const Deadline& deadline) {
    std::unique_lock lock(mutex_);
    waitFor(changed_, lock, deadline, "the copy of a batch to a device",
            [this] { return brought_ || hasEnded_ || error_ != nullptr; });
    if (error_) {
        std::rethrow_exception(error_);
    }
    return brought_;
}

void BringAhead::goOn() {
    const std::lock_guard lock(mutex_);
    brought_.reset();
    changed_.notify_all();
}

} // namespace weft
