// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this machine has, and data sheets of machines one doesn't have: plain measured or published
// rates from which every prediction is made.

#include <weft/types.h>

#include <map>
#include <string>
#include <vector>

namespace weft {

/// Rates of one device. What is not known is 0 and priced as the class's default.
struct DeviceSheet {
    std::string name;    ///< "cpu:0"
    std::string backend; ///< "cpu"
    std::string model;   ///< "AMD EPYC 9554", "NVIDIA H200"
    std::int64_t cores = 1;
    Bytes memory = {};
    double flopsPerSecond = 0;     ///< dense f32 of the whole device
    double bytesPerSecond = 0;     ///< streaming from memory
    Nanoseconds overhead = {1000}; ///< per kernel
    /// Share of the dense rate an op reaches, by op name, where measured.
    std::map<std::string, double> efficiency = {};
    bool isPresent = true;
    bool operator==(const DeviceSheet&) const = default;
};

/// One class of links: time = latency + bytes / rate, per message.
struct LinkSheet {
    std::string name; ///< "threads", "shared-memory", "network"
    Nanoseconds latency = {2000};
    double bytesPerSecond = 10e9;
    bool operator==(const LinkSheet&) const = default;
};

/// A machine as the planner sees it.
struct MachineSheet {
    std::string host;
    std::vector<DeviceSheet> devices;
    LinkSheet withinProcess{"threads", {1000}, 20e9};
    LinkSheet withinHost{"shared-memory", {3000}, 8e9};
    LinkSheet betweenHosts{"network", {30000}, 1.2e9};
    bool operator==(const MachineSheet&) const = default;
};

/// Devices of this machine, with the rates of the calibration cache where there is one.
[[nodiscard]] MachineSheet thisMachine();
/// The same with the rates of one backend's devices measured now (two seconds each), and kept for
/// later processes.
[[nodiscard]] MachineSheet measureThisMachine(const std::string& backend = "cpu");

} // namespace weft
