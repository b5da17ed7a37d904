// SPDX-License-Identifier: Apache-2.0
#pragma once
// The run's devices, and which rank has which: in blocks, as evenly as they go. The same on every
// rank.

#include <weft/design.h>
#include <weft/types.h>

#include <string>
#include <vector>

namespace weft {

struct RankSpread {
    std::vector<std::string> devices; ///< of all ranks, by DeviceId
    std::vector<int> rankOf;          ///< by DeviceId
    std::vector<DeviceId> all;
    std::vector<DeviceId> local; ///< those of this rank
};

/// The devices a design runs on: those asked for, else its own, else one core of this machine.
[[nodiscard]] std::vector<std::string> devicesOf(const Design& design,
                                                 const std::vector<std::string>& asked);

/// Every rank has at least one, so devices are no fewer than ranks.
[[nodiscard]] RankSpread spreadOver(std::vector<std::string> devices, int ranks, int rank);

} // namespace weft
