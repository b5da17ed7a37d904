// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wall-clock time, which hosts share approximately.

#include <chrono>
#include <cstdint>

namespace weft {

/// Nanoseconds since 1970.
[[nodiscard]] inline std::int64_t unixNanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}
[[nodiscard]] inline std::int64_t unixSeconds() { return unixNanoseconds() / 1'000'000'000; }

} // namespace weft
