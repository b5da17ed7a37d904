// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times as tables have them: nothing where there is none.

#include <weft/devices.h>
#include <weft/types.h>

#include <string>

namespace weft {

[[nodiscard]] inline std::string timeText(Nanoseconds time) {
    return time.count == 0 ? "" : toString(time);
}

/// "1.00 ms to 1.50 ms", where it is known.
[[nodiscard]] inline std::string bandText(const TimeBand& band) {
    return band.isKnown() ? toString(band.low) + " to " + toString(band.high) : "";
}

} // namespace weft
