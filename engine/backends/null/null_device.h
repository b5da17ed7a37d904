// SPDX-License-Identifier: Apache-2.0
#pragma once
// A device that computes nothing and takes the time the plan predicts: what tests the executor, its
// streams and faults without numbers. Its streams keep a time of their own, so that a step of an
// hour passes at once and every span is exact; or they wait the time out by the host's clock.

#include "device/backend.h"
#include "device/communicator.h"

#include <functional>
#include <memory>

namespace weft::null {

enum class Time : std::uint8_t {
    own,  ///< each stream's own clock begins at zero and is moved on by kernels and waits alone
    hosts ///< kernels sleep
};

/// Asked before every kernel: what it takes beyond the prediction. May throw: a fault.
using Delay = std::function<Nanoseconds(const std::string& op)>;

struct Settings {
    DeviceSheet sheet = {};
    Time time = Time::own;
    Delay delay = {};
};

[[nodiscard]] std::unique_ptr<Device> makeDevice(Settings settings);

/// Where such devices of one process meet. Nothing is moved: a collective ends for all its members
/// when the last has arrived and the longest price of any has passed.
[[nodiscard]] std::unique_ptr<Communicator> makeCommunicator(Time time = Time::own);

} // namespace weft::null
