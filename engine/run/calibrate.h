// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures what predictions are made of: a device's dense rate, its streaming rate, the cost of a
// kernel that does nothing, and the share of the dense rate that ops reach. About two seconds.

#include "device/backend.h"
#include "graph/op.h"

namespace weft {

/// The device's sheet with measured rates. On the calling thread, which becomes one of its lanes.
[[nodiscard]] DeviceSheet measureRates(Device& device, const OpList& ops);

} // namespace weft
