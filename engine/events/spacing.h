// SPDX-License-Identifier: Apache-2.0
#pragma once
// Decides which steps record spans: the first ones, then every n-th, with n a power of two so that
// ranks with different n still share steps. Workers ask; the log's thread adapts n to the measured
// rate.

#include <atomic>
#include <cstdint>

namespace weft {

class SpanSpacing {
public:
    /// `before`: number of steps before the first.
    SpanSpacing(std::int64_t before, std::int64_t firstSteps, double bytesPerSecond)
        : before_(before), firstSteps_(firstSteps), bytesPerSecond_(bytesPerSecond) {}

    /// Called by workers once per step: true if the spans are recorded. `bytes`: their size.
    [[nodiscard]] bool wants(std::int64_t step, std::int64_t now, std::size_t bytes);
    [[nodiscard]] bool isAmongFirst(std::int64_t step) const {
        return step <= before_ + firstSteps_;
    }
    [[nodiscard]] std::int64_t spacing() const { return spacing_.load(std::memory_order_relaxed); }

    /// Called by the log's thread, periodically: adapts the spacing to the steps since the last
    /// call.
    void update(); ///< adapts the spacing

private:
    std::int64_t before_;                       ///< steps before the first of this attempt
    std::int64_t firstSteps_;                   ///< number of steps that all record spans
    double bytesPerSecond_;                     ///< wanted rate of spans
    std::atomic<std::int64_t> spacing_ = 16;    ///< initial value, until steps are measured
    std::atomic<std::int64_t> askedStep_ = -1;  ///< in the last call of `wants`
    std::atomic<std::int64_t> askedTime_ = 0;   ///< in the last call of `wants`
    std::atomic<std::uint64_t> askedBytes_ = 0; ///< sum of all calls of `wants`
    std::int64_t lastStep_ = -1;                ///< at the begin of the measurement
    std::int64_t lastTime_ = 0;                 ///< at the begin of the measurement
    std::uint64_t lastBytes_ = 0;               ///< at the begin of the measurement
};

} // namespace weft
