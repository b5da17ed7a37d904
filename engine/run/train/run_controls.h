// SPDX-License-Identifier: Apache-2.0
#pragma once
// Commands from other threads: a window, the mailbox, a signal. The trainer takes them with its
// step decision, at the same step on every rank.

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

namespace weft {

/// A thread-safe queue of texts for the trainer.
class CommandQueue {
public:
    void add(std::string text) {
        const std::scoped_lock lock(mutex_);
        if (texts_.size() < most) {
            texts_.push_back(std::move(text));
        }
    }
    /// Returns and removes the oldest text, or an empty string.
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
    static constexpr std::size_t most = 256; ///< limit, since at most one command is taken per step
    std::mutex mutex_;
    std::deque<std::string> texts_;
};

struct RunControls {
    std::atomic<bool> stop = false;
    std::atomic<bool> pause = false;
    std::atomic<bool> save = false;
    std::atomic<int> steps = 0;         ///< steps that a paused run still has to take
    std::atomic<bool> isPaused = false; ///< set by the trainer
    CommandQueue observe = {};  ///< names of layers to observe, one in each of the next steps
    CommandQueue received = {}; ///< commands that arrived, to be reported to all observers
    /// Is called with every decision, if set. True if the run must wait, as when its log cannot
    /// grow.
    std::function<bool()> mustWait = {};

    /// True if a paused run shall take one more step. Counts that step.
    [[nodiscard]] bool takeStep() {
        int left = steps;
        while (left > 0 && !steps.compare_exchange_weak(left, left - 1)) {
        }
        return left > 0;
    }
};

} // namespace weft
