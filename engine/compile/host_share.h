// SPDX-License-Identifier: Apache-2.0
#pragma once
// The share of its host that a device has: devices on the cores of a host share its cores and
// memory, workers on a chip share the chip and its memory. Predictions and runs use the same rule.

#include "schedule/predict/price.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <string>
#include <vector>

namespace weft {

/// The host of a device that takes no cores of any host.
inline constexpr int noHost = -1;

struct HostShare {
    int host = noHost; ///< the host whose cores the device takes
    int cores = 1;     ///< cores that it computes on: as declared, else an even part of the rest
    double share = 1; ///< fraction of the time of these cores or of its chip, if several take turns
    int taken = 1;    ///< cores of the host that all of its devices take together
    int workers = 1;  ///< workers on its chip, including this one
    std::size_t memory = 0; ///< index of the first device that uses the same memory
    bool operator==(const HostShare&) const = default;
};

/// A device of a run, as its host sees it.
struct HostedDevice {
    std::string name;
    int host = 0; ///< index
    /// onChip: the host thread that drives the chip is not counted. apart: shares nothing, because
    /// the device is unknown or has another machine's cores.
    enum class Computes : std::uint8_t { onCores, onChip, apart } computes = Computes::onCores;
};

/// Returns the share of each device. Every host has `cores` cores.
[[nodiscard]] std::vector<HostShare>
hostShares(const Design& design, const std::vector<HostedDevice>& devices, int cores);

/// Warns about the most overcommitted host and about the chip that most workers share.
[[nodiscard]] std::vector<Diagnostic> checkShares(const std::vector<HostShare>& shares, int cores);

/// Spreads devices over ranks and ranks over hosts, in blocks, as evenly as possible.
[[nodiscard]] std::vector<DevicePlace> evenPlaces(std::size_t devices, int ranks, int hosts);

/// Returns the number of cores of the machine that has these devices.
[[nodiscard]] int coresOf(const std::vector<DeviceSheet>& found);

} // namespace weft
