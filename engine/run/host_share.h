// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device has of its host: all that run on the cores of a host share these and its memory,
// all workers on a chip share that and its memory. One rule for what is predicted and for what
// runs.

#include "schedule/price.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// Where a device is that takes no cores of any host.
inline constexpr int noHost = -1;

struct HostShare {
    int host = noHost; ///< whose cores it takes
    int cores = 1;     ///< that it computes on: as declared, else an even part of what is left
    double share = 1;  ///< of those cores' time, or its chip's: where more are taken, turns are
    int taken = 1;     ///< cores of the host, by all of its devices together
    int workers = 1;   ///< on its chip, this one among them
    std::size_t memory = 0; ///< the first device that computes in the same memory
    bool operator==(const HostShare&) const = default;
};

/// A device of a run, as its host sees it.
struct HostedDevice {
    std::string name;
    int host = 0;
    /// On a chip, its work is done there, and the thread that drives it is not counted; nothing is
    /// shared by what is not known or of another machine's cores.
    enum class Computes : std::uint8_t { onCores, onChip, apart } computes = Computes::onCores;
};

/// By device; every host has so many cores.
[[nodiscard]] std::vector<HostShare>
hostShares(const Design& design, const std::vector<HostedDevice>& devices, int cores);

/// Says of the host of which most is taken beyond its cores, and of the chip that most workers
/// share, what this comes to.
[[nodiscard]] std::vector<Diagnostic> checkShares(const std::vector<HostShare>& shares, int cores);

/// Devices over ranks and ranks over hosts, in blocks, as evenly as they go.
[[nodiscard]] std::vector<DevicePlace> evenPlaces(std::size_t devices, int ranks, int hosts);

/// Cores of the machine with these devices.
[[nodiscard]] int coresOf(const std::vector<DeviceSheet>& found);

} // namespace weft
