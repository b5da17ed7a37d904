// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wishes from other threads: a window, a mailbox, a signal. The trainer takes them with its
// verdict, at the same step on every rank.

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

namespace weft {

/// Layers whose values are to be seen, one in each of the next steps. Any thread.
class ObserveWishes {
public:
    void add(std::string layer) {
        const std::scoped_lock lock(mutex_);
        if (layers_.size() < most) {
            layers_.push_back(std::move(layer));
        }
    }
    /// Empty: nobody wants to see any.
    [[nodiscard]] std::string take() {
        const std::scoped_lock lock(mutex_);
        if (layers_.empty()) {
            return {};
        }
        std::string first = std::move(layers_.front());
        layers_.pop_front();
        return first;
    }

private:
    static constexpr std::size_t most = 256; ///< more wishes than steps would never be met
    std::mutex mutex_;
    std::deque<std::string> layers_;
};

struct RunControls {
    std::atomic<bool> stop = false;
    std::atomic<bool> pause = false;
    std::atomic<bool> save = false;
    std::atomic<bool> stepOnce = false; ///< of a paused run
    std::atomic<bool> isPaused = false; ///< told by the trainer
    ObserveWishes observe = {};
    /// Asked with every verdict, where there is one to ask: whether the run must wait, as when its
    /// log can keep no more.
    std::function<bool()> mustWait = {};
};

} // namespace weft
