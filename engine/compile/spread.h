// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns the run's devices to ranks: in blocks, as evenly as possible. Every rank computes the
// same result.

#include <weft/design.h>
#include <weft/types.h>

#include <string>
#include <vector>

namespace weft {

struct RankSpread {
    std::vector<std::string> devices; ///< all ranks' devices, by DeviceId
    std::vector<int> rankOf;          ///< indexed by DeviceId
    std::vector<DeviceId> all;        ///< 0, 1, 2 ...: ids of `devices`
    std::vector<DeviceId> local;      ///< devices of this rank
};

/// Returns the devices that a design runs on: those asked for, else its own, else one core of this
/// machine.
[[nodiscard]] std::vector<std::string> devicesOf(const Design& design,
                                                 const std::vector<std::string>& asked);

/// Gives every rank at least one device, so there must be at least as many devices as ranks.
[[nodiscard]] RankSpread spreadOver(std::vector<std::string> devices, int ranks, int rank);

} // namespace weft
