// SPDX-License-Identifier: Apache-2.0
#pragma once
// Predicted times from the sheets' measured rates: the larger of arithmetic and memory for a
// kernel, latency and bytes for a collective. One rule for preview, schedule and simulation.

#include <weft/devices.h>
#include <weft/types.h>

#include <span>
#include <string>
#include <vector>

namespace weft {

/// Where a device is: links between two are priced by the nearest of process, host and network that
/// holds both.
struct DevicePlace {
    int rank = 0;
    int host = 0;
    bool operator==(const DevicePlace&) const = default;
};

/// The links of a run.
struct Links {
    MachineSheet machine = {};
    std::vector<DevicePlace> places = {}; ///< by DeviceId; a device that is absent is in rank 0

    /// The slowest link that these devices meet over.
    [[nodiscard]] const LinkSheet& among(std::span<const DeviceId> members) const;
};

struct Price {
    Nanoseconds time = {};
    TimeBand band = {}; ///< low == high == time where the rates' spread is not known
};

/// Of a device that has but this share of its cores' time to itself.
[[nodiscard]] DeviceSheet slowed(DeviceSheet sheet, double share);

[[nodiscard]] Price computePrice(const DeviceSheet& sheet, const std::string& op, Flops flops,
                                 Bytes traffic, double shareOfDevice = 1);
/// Of what a kernel on the host brings there and back (device/staged.h).
[[nodiscard]] Nanoseconds stagingTime(Bytes staged);
/// `messages`: rounds in which each member waits for a peer.
[[nodiscard]] Price communicationPrice(const LinkSheet& link, Bytes sent, int messages);

} // namespace weft
