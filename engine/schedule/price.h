// SPDX-License-Identifier: Apache-2.0
#pragma once
// Predicted times from the sheets' measured rates: the larger of arithmetic and memory for a
// kernel, latency and bytes for a collective. One rule for preview, schedule and simulation.

#include "device/kernel.h"
#include <weft/devices.h>
#include <weft/types.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Where a device is: links between processors are priced by the nearest of process, host and
/// network that holds both.
struct DevicePlace {
    int rank = 0;
    int host = 0;
    bool operator==(const DevicePlace&) const = default;
};

/// How a device that is no processor is joined to others.
struct ChipJoint {
    std::string chip;  ///< "cuda:0", on which there may be others; empty: a processor
    std::string model; ///< chips of one model are joined by their own links
    LinkSheet bus;
    std::optional<LinkSheet> peer;
    LinkSheet within;    ///< between workers on it: what is moved is read and written there
    bool isHere = false; ///< else it is taken to meet others as its own links let it
};

/// The links of a run.
struct Links {
    MachineSheet machine = {};
    std::vector<DevicePlace> places = {}; ///< by DeviceId; a device that is absent is in rank 0
    std::vector<ChipJoint> joints = {};   ///< by DeviceId; empty: all are processors

    /// By which these devices meet: between hosts the network; within one the slowest of what
    /// joins them. In a communicator of devices chips of one kind copy to each other over their own
    /// links, and workers on one chip within its memory. All other chips meet through the host, as
    /// a staged communicator does it: what they give goes over the bus, then from process to
    /// process or thread to thread, what they get over the bus again, and each waits for the one
    /// before.
    [[nodiscard]] LinkSheet among(std::span<const DeviceId> members,
                                  bool byDeviceCommunicator) const;
};

/// As the sheets stand, which have the names of the devices.
[[nodiscard]] std::vector<ChipJoint> jointsOf(const std::vector<DeviceSheet>& sheets);

struct Price {
    Nanoseconds time = {};
    TimeBand band = {}; ///< low == high == time where the rates' spread is not known
};

/// Sheet of a device that has only this share of its cores' time.
[[nodiscard]] DeviceSheet slowed(DeviceSheet sheet, double share);

/// `precision`: of the kernel. One that rounds computes at the sheet's rate for that, if it has
/// one. It has an overhead for each of its launches.
[[nodiscard]] Price computePrice(const DeviceSheet& sheet, const std::string& op, Flops flops,
                                 Bytes traffic, double shareOfDevice = 1,
                                 Precision precision = Precision::exact, int launches = 1);
/// Share of a chip whose streams share it (`DeviceSheet::threads`) that an op can fill at most:
/// every element of its largest result may have a thread, and what is summed up may be split.
[[nodiscard]] double fillOf(const DeviceSheet& sheet, std::int64_t elements, Bytes traffic);
/// Between a device and its host.
[[nodiscard]] LinkSheet busOf(const DeviceSheet& sheet);
/// Price of computing on one core of the host.
[[nodiscard]] Price hostPrice(const std::string& op, Flops flops, Bytes traffic);
/// Out to the host and back, over the device's bus.
[[nodiscard]] Price hostFallbackPrice(const DeviceSheet& sheet, Bytes staged);
/// Price of a host fallback (device/staged.h): computing and copying.
[[nodiscard]] Price stagedPrice(const DeviceSheet& sheet, const std::string& op, Flops flops,
                                Bytes traffic, Bytes staged);
/// `messages`: rounds in which each member waits for a peer.
[[nodiscard]] Price communicationPrice(const LinkSheet& link, Bytes sent, int messages);

} // namespace weft
