// SPDX-License-Identifier: Apache-2.0
#pragma once
// The time of day, which another host has too, if not quite the same.

#include <chrono>
#include <cstdint>

namespace weft {

/// Since 1970.
[[nodiscard]] inline std::int64_t unixNanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}
[[nodiscard]] inline std::int64_t unixSeconds() { return unixNanoseconds() / 1'000'000'000; }

} // namespace weft
