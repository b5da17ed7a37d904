// SPDX-License-Identifier: Apache-2.0
#pragma once
// Places for lives in one stretch of memory: large ones first, each at the lowest offset that is
// free as long as it lives. Depends on its argument alone.

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

struct PackedLife {
    std::int64_t size = 0; ///< bytes
    bool isMade = false;   ///< by a task; else it is there before all
    bool isAlways = false; ///< from before the first task to after the last
    /// By stream: how many of its tasks have surely ended when the life is made.
    std::span<const std::uint32_t> begin = {};
    /// By stream: how many of its tasks must have ended so that nobody uses the life any more.
    std::span<const std::uint32_t> end = {};
};

/// The offset of each.
[[nodiscard]] std::vector<std::int64_t> packLives(std::span<const PackedLife> lives);

} // namespace weft
