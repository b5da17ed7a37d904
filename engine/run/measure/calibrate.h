// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures the rates that predictions use: a device's dense rate (exact and rounded), streaming
// rate, bus, launch cost, and the share of the dense rate that ops reach. Each is the median of
// many calls, with the spread between calls. Takes about two seconds.

#include "device/backend.h"
#include "graph/op.h"
#include <weft/devices.h>

#include <functional>
#include <vector>

namespace weft {

struct MeasuredTime {
    double seconds = 0; ///< median
    TimeDeviation spread = {};
};
/// Returns the median and spread. Requires at least one time.
[[nodiscard]] MeasuredTime middleOf(std::vector<double> seconds);

using MeasuringProgress = std::function<bool(double done)>; ///< false: stop; `done` is the fraction

/// Measures copies to a device's memory and back, and returns half of a round trip: a copy to the
/// device may return before it has finished.
[[nodiscard]] LinkSheet measureBus(Device& device, const LinkSheet& published);

/// Returns the device's sheet with measured rates. The calling thread becomes one of the device's
/// streams. Throws Error{stopped} if `progress` asks to stop.
[[nodiscard]] DeviceSheet measureRates(Device& device, const Backend& backend, const OpList& ops,
                                       const MeasuringProgress& progress = {});

} // namespace weft
