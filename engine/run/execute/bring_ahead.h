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

class BringAhead {
public:
    /// `from` must outlive this object and is stopped with it. `patience` limits how long a batch
    /// may take.
    BringAhead(Prefetch& from, std::chrono::nanoseconds patience,
               std::function<void(const Prefetch::FilledSlot&)> bring);
    ~BringAhead();
    BringAhead(const BringAhead&) = delete;
    BringAhead& operator=(const BringAhead&) = delete;

    /// Like Prefetch::take. Also throws the error of a copy that failed.
    [[nodiscard]] std::optional<Prefetch::FilledSlot> take(const Deadline& deadline);
    /// Tells the thread that the devices have taken the batch, so that the next batch may be
    /// copied.
    void goOn();

private:
    void work();

    Prefetch& from_;
    std::chrono::nanoseconds patience_;
    std::function<void(const Prefetch::FilledSlot&)> bring_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Prefetch::FilledSlot> brought_;
    std::exception_ptr error_;
    bool hasEnded_ = false;
    bool isStopped_ = false;
    std::jthread thread_;
};

} // namespace weft
