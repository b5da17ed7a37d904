// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device has of its host: all that run on a host share its cores and its memory. One rule
// for what is predicted and for what runs.

#include "schedule/price.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// Where a device is that shares nothing with any other.
inline constexpr int noHost = -1;

struct HostShare {
    int host = noHost;
    int cores = 1;    ///< that it computes on: as declared, else an even part of what is left
    double share = 1; ///< of those cores' time: where more are taken than there are, turns are
    int taken = 1;    ///< cores of the host, by all of its devices together
    bool operator==(const HostShare&) const = default;
};

/// By device. `hosts`: by device, the number of its host; every host has so many cores.
[[nodiscard]] std::vector<HostShare> hostShares(const Design& design,
                                                const std::vector<std::string>& devices,
                                                const std::vector<int>& hosts, int cores);

/// Says of the host of which most is taken beyond its cores what this comes to.
[[nodiscard]] std::vector<Diagnostic> checkShares(const std::vector<HostShare>& shares, int cores);

/// Devices over ranks and ranks over hosts, in blocks, as evenly as they go.
[[nodiscard]] std::vector<DevicePlace> evenPlaces(std::size_t devices, int ranks, int hosts);

/// Of the machine that these devices were found on.
[[nodiscard]] int coresOf(const std::vector<DeviceSheet>& found);

} // namespace weft
