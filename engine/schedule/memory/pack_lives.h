// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns offsets to lives in one block of memory: large lives first, each at the lowest offset
// that is free throughout the life. Depends only on its argument.

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

struct PackedLife {
    std::int64_t size = 0; ///< bytes
    bool isMade = false;   ///< created by a task; else present from the start
    bool isAlways = false; ///< from before the first task until after the last
    /// By stream: how many of its tasks have certainly ended when the life begins.
    std::span<const std::uint32_t> begin = {};
    /// By stream: how many of its tasks must have ended before the life is over.
    std::span<const std::uint32_t> end = {};
};

struct Packing {
    std::vector<std::int64_t> offsets; ///< by life
    /// Number of times that a life was compared with a placed life, or with several at once.
    std::uint64_t comparisons = 0;
};

[[nodiscard]] Packing packLives(std::span<const PackedLife> lives);

} // namespace weft
