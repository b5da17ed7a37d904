// SPDX-License-Identifier: Apache-2.0
#pragma once
// Predicts times from the rates in the sheets: for a kernel the larger of arithmetic and memory
// time, for a collective latency plus bytes. Preview, schedule and simulation use the same rule.

#include "device/kernel.h"
#include <weft/devices.h>
#include <weft/types.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The location of a device. Links between CPU devices are priced by what both share: process, host
/// or network.
struct DevicePlace {
    int rank = 0;
    int host = 0;
    bool operator==(const DevicePlace&) const = default;
};

/// How a device that is not a CPU is connected to others.
struct ChipConnection {
    std::string chip;              ///< "cuda:0", which several workers may share; empty: a CPU
    std::string model;             ///< chips of the same model are connected by their own links
    LinkSheet bus;                 ///< to its host
    std::optional<LinkSheet> peer; ///< to chips of the same model; none: through the host
    LinkSheet within; ///< between workers on the chip, where data is read and written in its memory
    bool isHere = false; ///< present on this machine: then its own links count only in a
                         ///< communicator of devices
};

/// The links of a run.
struct Links {
    MachineSheet machine = {};
    std::vector<DevicePlace> places = {}; ///< by DeviceId; a device without an entry is on rank 0
    std::vector<ChipConnection> connections = {}; ///< indexed by DeviceId; empty: all are CPUs

    /// Returns the link over which these devices communicate: between hosts the network; within a
    /// host the slowest connection among them. In a communicator of devices, chips of one model use
    /// their own links, and workers on one chip its memory. All other chips communicate through the
    /// host like a staged communicator: over the bus, between processes or threads, and over the
    /// bus again, one after the other.
    [[nodiscard]] LinkSheet linkAmong(std::span<const DeviceId> members,
                                      bool byDeviceCommunicator) const;
};

/// Returns the connections of the sheets, which carry the devices' names.
[[nodiscard]] std::vector<ChipConnection> connectionsOf(const std::vector<DeviceSheet>& sheets);

struct Price {
    Nanoseconds time = {};
    TimeBand band = {}; ///< low == high == time if the spread of the rates is unknown
};

/// Returns the sheet of a device that has only this share of its cores' time.
[[nodiscard]] DeviceSheet slowed(DeviceSheet sheet, double share);

/// Returns the price of an op on a device. `precision` is that of the kernel. A rounding kernel
/// uses the sheet's rate for that precision, if there is one. Each launch adds an overhead.
[[nodiscard]] Price computePrice(const DeviceSheet& sheet, const std::string& op, Flops flops,
                                 Bytes traffic, double shareOfDevice = 1,
                                 Precision precision = Precision::exact, int launches = 1);
/// Returns the largest share of a chip (`DeviceSheet::threads`) that an op can use: one thread per
/// element of its largest result, and more if a sum can be split.
[[nodiscard]] double usableShareOf(const DeviceSheet& sheet, std::int64_t elements, Bytes traffic);
/// Returns the link between a device and its host.
[[nodiscard]] LinkSheet busOf(const DeviceSheet& sheet);
/// Returns the price of computing on one core of the host.
[[nodiscard]] Price hostPrice(const std::string& op, Flops flops, Bytes traffic);
/// Returns the price of copying to the host and back over the device's bus.
[[nodiscard]] Price roundTripPrice(const DeviceSheet& sheet, Bytes staged);
/// Price of a host fallback (device/staged.h): computing and copying.
[[nodiscard]] Price hostFallbackPrice(const DeviceSheet& sheet, const std::string& op, Flops flops,
                                      Bytes traffic, Bytes staged);
/// Returns the price of sending these bytes over a link. `messages`: rounds in which each member
/// waits for a peer.
[[nodiscard]] Price communicationPrice(const LinkSheet& link, Bytes sent, int messages);

} // namespace weft
