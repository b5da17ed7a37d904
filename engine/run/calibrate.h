// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures what predictions are made of: a device's dense rate, as it is and rounded to less, its
// streaming rate, what its bus carries, the cost of a kernel that does nothing, and the share of
// the dense rate that ops reach; each as the middle of many calls, with how far these lay apart.
// About two seconds.

#include "device/backend.h"
#include "graph/op.h"
#include <weft/devices.h>

#include <functional>
#include <vector>

namespace weft {

struct MeasuredTime {
    double seconds = 0; ///< the middle one
    TimeDeviation spread = {};
};
/// Requires at least one time.
[[nodiscard]] MeasuredTime middleOf(std::vector<double> seconds);

/// As CalibrationRequest's.
using MeasuringProgress = std::function<bool(double done)>;

/// What goes to a device's memory and comes back, by half: a put need not have come when it is
/// over.
[[nodiscard]] LinkSheet measureBus(Device& device, const LinkSheet& published);

/// The device's sheet with measured rates. On the calling thread, which becomes one of its streams.
/// Error{stopped} where `progress` says so.
[[nodiscard]] DeviceSheet measureRates(Device& device, const Backend& backend, const OpList& ops,
                                       const MeasuringProgress& progress = {});

} // namespace weft
