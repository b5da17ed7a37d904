// SPDX-License-Identifier: Apache-2.0
#include "events/spacing.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {

bool SpanSpacing::wants(std::int64_t step, std::int64_t now, std::size_t bytes) {
    askedBytes_.fetch_add(bytes, std::memory_order_relaxed);
    askedTime_.store(now, std::memory_order_relaxed);
    askedStep_.store(step, std::memory_order_release);
    return isAmongFirst(step) || step % spacing() == 0;
}

void SpanSpacing::update() {
    const std::int64_t step = askedStep_.load(std::memory_order_acquire);
    const std::int64_t time = askedTime_.load(std::memory_order_relaxed);
    const std::uint64_t bytes = askedBytes_.load(std::memory_order_relaxed);
    if (lastStep_ < 0 || step < lastStep_) {
        lastStep_ = step;
        lastTime_ = time;
        lastBytes_ = bytes;
        return;
    }
    constexpr std::int64_t window = 500'000'000;
    constexpr std::int64_t enough = 20;
    if (time - lastTime_ < window && step - lastStep_ < enough) {
        return;
    }
    const double seconds = static_cast<double>(std::max<std::int64_t>(1, time - lastTime_)) * 1e-9;
    const double wanted = static_cast<double>(bytes - lastBytes_) / seconds / bytesPerSecond_;
    const auto least =
        std::bit_ceil(static_cast<std::uint64_t>(std::clamp(std::ceil(wanted), 1.0, 1e15)));
    const auto now = static_cast<std::uint64_t>(spacing());
    // Raises n at once, but lowers it only by a clear margin, because every change makes a seam in
    // the record.
    if (least > now || least * 4 <= now) {
        spacing_.store(static_cast<std::int64_t>(least), std::memory_order_relaxed);
    }
    lastStep_ = step;
    lastTime_ = time;
    lastBytes_ = bytes;
}

} // namespace weft
