// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wishes from other threads: a window, a mailbox, a signal. The trainer takes them with its
// decision, at the same step on every rank.

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

namespace weft {

/// Texts on their way to the trainer. Any thread.
class CommandQueue {
public:
    void add(std::string text) {
        const std::scoped_lock lock(mutex_);
        if (texts_.size() < most) {
            texts_.push_back(std::move(text));
        }
    }
    /// The one that was there first; empty: there is none.
    [[nodiscard]] std::string take() {
        const std::scoped_lock lock(mutex_);
        if (texts_.empty()) {
            return {};
        }
        std::string first = std::move(texts_.front());
        texts_.pop_front();
        return first;
    }

private:
    static constexpr std::size_t most = 256; ///< more commands than steps would never be met
    std::mutex mutex_;
    std::deque<std::string> texts_;
};

struct RunControls {
    std::atomic<bool> stop = false;
    std::atomic<bool> pause = false;
    std::atomic<bool> save = false;
    std::atomic<int> steps = 0;         ///< that a paused run takes
    std::atomic<bool> isPaused = false; ///< told by the trainer
    /// Layers whose values are to be seen, one in each of the next steps.
    CommandQueue observe = {};
    /// What was commanded, to be told to all who follow the run: by that whoever asked knows.
    CommandQueue told = {};
    /// Asked with every decision, where there is one to ask: whether the run must wait, as when its
    /// log can keep no more.
    std::function<bool()> mustWait = {};

    /// Whether a paused run is to take one more step; counts it.
    [[nodiscard]] bool takeStep() {
        int left = steps;
        while (left > 0 && !steps.compare_exchange_weak(left, left - 1)) {
        }
        return left > 0;
    }
};

} // namespace weft
