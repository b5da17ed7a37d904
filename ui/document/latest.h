// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a thread is asked for and has not begun: a newer question takes the place of an older one.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace weft::ui {

template <class Question>
class Latest {
public:
    void put(Question question) {
        const std::scoped_lock lock(mutex_);
        waiting_.emplace(std::move(question));
        asked_.notify_one();
    }

    /// Waits for one; none when it is to stop.
    [[nodiscard]] std::optional<Question> take(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        asked_.wait(lock, stop, [this] { return waiting_.has_value(); });
        return stop.stop_requested() ? std::nullopt : std::exchange(waiting_, std::nullopt);
    }

    /// What is being answered need not be answered any more.
    [[nodiscard]] bool hasOne() {
        const std::scoped_lock lock(mutex_);
        return waiting_.has_value();
    }

private:
    std::mutex mutex_;
    std::condition_variable_any asked_;
    std::optional<Question> waiting_;
};

} // namespace weft::ui
