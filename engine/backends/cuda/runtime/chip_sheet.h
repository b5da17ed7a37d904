// SPDX-License-Identifier: Apache-2.0
#pragma once
// The assumed data sheet of a present GPU before any measurement: operations per cycle of its
// generation times the driver's numbers.

#include "backends/cuda/runtime/seam.h"
#include <weft/devices.h>

namespace weft::cuda {

[[nodiscard]] DeviceSheet sheetOf(const seam::Chip& chip, int number);

} // namespace weft::cuda
