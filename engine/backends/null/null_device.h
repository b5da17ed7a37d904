// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device that computes nothing and takes the predicted time, to test the executor, its streams
// and failures without data. Its streams have simulated clocks, so that long steps run at once with
// exact spans, or they sleep in real time.

#include "device/backend.h"
#include "device/communicator.h"

#include <functional>
#include <memory>

namespace weft::null {

enum class Time : std::uint8_t {
    own,  ///< each stream's own clock starts at zero and advances by kernels and waits only
    hosts ///< kernels sleep
};

/// Called before every kernel: returns the time beyond the prediction. May throw to simulate a
/// failure.
using Delay = std::function<Nanoseconds(const std::string& op)>; ///< extra time

struct Settings {
    DeviceSheet sheet = {};
    Time time = Time::own;
    Delay delay = {}; ///< added to predicted times; empty: none
};

[[nodiscard]] std::unique_ptr<Device> makeDevice(Settings settings);

/// Makes the communicator of such devices in one process. It moves no data: a collective ends for
/// all members when the last has arrived and the longest predicted time has passed.
[[nodiscard]] std::unique_ptr<Communicator> makeCommunicator(Time time = Time::own);

} // namespace weft::null
