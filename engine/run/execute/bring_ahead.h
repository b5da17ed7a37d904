// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread that takes one batch ahead from the prefetch queue and copies it to the devices while
// they work.

#include "data/prefetch.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace weft {

class BatchPrefetcher {
public:
    /// `from` must outlive this object and is stopped with it. `patience` limits how long a batch
    /// may take.
    BatchPrefetcher(Prefetch& from, std::chrono::nanoseconds patience,
                    std::function<void(const Prefetch::FilledSlot&)> bring);
    ~BatchPrefetcher();
    BatchPrefetcher(const BatchPrefetcher&) = delete;
    BatchPrefetcher& operator=(const BatchPrefetcher&) = delete;

    /// Like Prefetch::take. Also throws the error of a copy that failed.
    [[nodiscard]] std::optional<Prefetch::FilledSlot> take(const Deadline& deadline);
    void allowNextBatch(); ///< the devices have taken the batch, so the next may be copied

private:
    void work();

    Prefetch& queue_;                    ///< batches in host memory
    std::chrono::nanoseconds timeLimit_; ///< for copying a batch
    std::function<void(const Prefetch::FilledSlot&)> copyToDevices_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Prefetch::FilledSlot> copiedBatch_; ///< on the devices, not taken yet; none: none
    std::exception_ptr error_;
    bool hasEnded_ = false; ///< the queue has no further batch
    bool isStopped_ = false;
    std::jthread thread_;
};

} // namespace weft
