// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which steps keep their spans: the first ones, then every n-th with n a power of two, so that
// ranks which chose different n still share steps. Workers ask, the log's own thread sets n from
// what it sees.

#include <atomic>
#include <cstdint>

namespace weft {

class SpanSpacing {
public:
    /// `before`: steps that were done before the first.
    SpanSpacing(std::int64_t before, std::int64_t firstSteps, double bytesPerSecond)
        : before_(before), firstSteps_(firstSteps), bytesPerSecond_(bytesPerSecond) {}

    /// Workers, once per step: whether its spans are kept. `bytes`: what they would take.
    [[nodiscard]] bool wants(std::int64_t step, std::int64_t now, std::size_t bytes);
    [[nodiscard]] bool isAmongFirst(std::int64_t step) const {
        return step <= before_ + firstSteps_;
    }
    [[nodiscard]] std::int64_t spacing() const { return spacing_.load(std::memory_order_relaxed); }

    /// The log's thread, each beat: sets the spacing from the steps seen since it was last set.
    void update();

private:
    std::int64_t before_;
    std::int64_t firstSteps_;
    double bytesPerSecond_;
    std::atomic<std::int64_t> spacing_ = 16; ///< until something has been seen
    std::atomic<std::int64_t> askedStep_ = -1;
    std::atomic<std::int64_t> askedTime_ = 0;
    std::atomic<std::uint64_t> askedBytes_ = 0;
    std::int64_t lastStep_ = -1;
    std::int64_t lastTime_ = 0;
    std::uint64_t lastBytes_ = 0;
};

} // namespace weft
