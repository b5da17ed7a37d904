// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exchanges numbers between all ranks before a run, and finds out which ranks share a host.

#include "comm/world.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace weft {

/// Returns each rank's number `mine`, by rank. All ranks call it at the same point.
[[nodiscard]] std::vector<std::int64_t> allGatherNumber(World& world, std::int64_t mine,
                                                        std::chrono::seconds limit);

/// Returns the host number of each rank. Hosts are numbered in the order of their first ranks. All
/// ranks call it at the same point.
[[nodiscard]] std::vector<int> rankHosts(World& world, std::chrono::seconds limit);

} // namespace weft
