// SPDX-License-Identifier: Apache-2.0
#include "run/execute/bring_ahead.h"

#include "base/process/threads.h"

#include <utility>

namespace weft {

BatchPrefetcher::BatchPrefetcher(Prefetch& from, std::chrono::nanoseconds patience,
                                 std::function<void(const Prefetch::FilledSlot&)> bring)
    : queue_(from), timeLimit_(patience), copyToDevices_(std::move(bring)) {
    thread_ = startThread("the feeds", [this] { work(); });
}

BatchPrefetcher::~BatchPrefetcher() {
    queue_.stop();
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
    changed_.notify_all();
}

void BatchPrefetcher::work() {
    try {
        while (const auto filled = queue_.take(Deadline(timeLimit_))) {
            copyToDevices_(*filled);
            std::unique_lock lock(mutex_);
            copiedBatch_ = filled;
            changed_.notify_all();
            // No time limit: a run may pause for any time.
            changed_.wait(lock, [this] { return isStopped_ || !copiedBatch_; });
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

std::optional<Prefetch::FilledSlot> BatchPrefetcher::take(const Deadline& deadline) {
    std::unique_lock lock(mutex_);
    waitFor(changed_, lock, deadline, "the copy of a batch to a device",
            [this] { return copiedBatch_ || hasEnded_ || error_ != nullptr; });
    if (error_) {
        std::rethrow_exception(error_);
    }
    return copiedBatch_;
}

void BatchPrefetcher::allowNextBatch() {
    const std::lock_guard lock(mutex_);
    copiedBatch_.reset();
    changed_.notify_all();
}

} // namespace weft
