// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns offsets to lives in one block of memory: large lives first, each at the lowest offset
// that is free throughout the life. Depends only on its argument.

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

struct PackedLife {
    std::int64_t size = 0;                     ///< bytes
    bool isCreatedByTask = false;              ///< created by a task; else present from the start
    bool isPermanent = false;                  ///< from before the first task until after the last
    std::span<const std::uint32_t> begin = {}; ///< ended tasks by stream when it begins
    std::span<const std::uint32_t> end = {};   ///< ended tasks by stream when it is over
};

struct Packing {
    std::vector<std::int64_t> offsets; ///< bytes, per life
    std::uint64_t comparisons = 0;     ///< comparisons with placed lives
};

[[nodiscard]] Packing packLives(std::span<const PackedLife> lives);

} // namespace weft
