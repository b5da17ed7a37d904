// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formats times for tables; an unknown time gives an empty string.

#include <weft/devices.h>
#include <weft/types.h>

#include <string>

namespace weft {

[[nodiscard]] inline std::string timeText(Nanoseconds time) {
    return time.count == 0 ? "" : toString(time);
}

/// Returns "1.00 ms to 1.50 ms", or an empty string if unknown.
[[nodiscard]] inline std::string bandText(const TimeBand& band) {
    return band.isKnown() ? toString(band.low) + " to " + toString(band.high) : "";
}

} // namespace weft
