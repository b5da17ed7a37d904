// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every rank hears of all others before a run: on which host each is.

#include "comm/world.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace weft {

/// By rank, what each says. All ranks call it at the same point.
[[nodiscard]] std::vector<std::int64_t> ofEveryRank(World& world, std::int64_t mine,
                                                    std::chrono::seconds limit);

/// By rank, the number of its host: hosts are numbered as their first ranks come. Likewise.
[[nodiscard]] std::vector<int> rankHosts(World& world, std::chrono::seconds limit);

} // namespace weft
