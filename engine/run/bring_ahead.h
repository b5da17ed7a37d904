// SPDX-License-Identifier: Apache-2.0
#pragma once
// A thread that takes one batch ahead of who asks for it, as soon as it is read, and brings it to
// devices that work meanwhile.

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
    /// `from` outlives it and is stopped with it; a batch may take so long to come.
    BringAhead(Prefetch& from, std::chrono::nanoseconds patience,
               std::function<void(const Prefetch::Filled&)> bring);
    ~BringAhead();
    BringAhead(const BringAhead&) = delete;
    BringAhead& operator=(const BringAhead&) = delete;

    /// As Prefetch::take; what could not be brought is thrown here too.
    [[nodiscard]] std::optional<Prefetch::Filled> take(const Deadline& deadline);
    /// Its devices have what was taken: the next one may be brought.
    void goOn();

private:
    void work();

    Prefetch& from_;
    std::chrono::nanoseconds patience_;
    std::function<void(const Prefetch::Filled&)> bring_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Prefetch::Filled> brought_;
    std::exception_ptr error_;
    bool hasEnded_ = false;
    bool isStopped_ = false;
    std::jthread thread_;
};

} // namespace weft
