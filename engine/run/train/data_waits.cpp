// SPDX-License-Identifier: Apache-2.0
#include "run/train/data_waits.h"

#include "base/text/text.h"

#include <fmt/format.h>

#include <utility>

namespace weft {

std::optional<std::string> DataWaits::add(double seconds, double waited) {
    constexpr int fewest = 32;
    constexpr double longEnough = 10; // seconds of waiting, so that short runs say nothing
    if (steps_++ == 0) {
        return std::nullopt; // the first batch has no step before it, during which it is read
    }
    seconds_ += seconds;
    waited_ += waited;
    const bool isSlow = steps_ > fewest && waited_ > longEnough && waited_ > seconds_ / 2;
    if (!isSlow || std::exchange(hasReported_, true)) {
        return std::nullopt;
    }
    const double all = steps_ - 1;
    return fmt::format(
        "the data is slower than the step: of {} per step, {} are spent waiting for the batch; use "
        "smaller pictures, a faster disk, or arrays (.npy)",
        durationText(seconds_ / all), durationText(waited_ / all));
}

} // namespace weft
