// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is assumed of a chip that is here, before anything is measured: what its generation does in
// a cycle, times what the driver says of it.

#include "backends/cuda/seam.h"
#include <weft/devices.h>

namespace weft::cuda {

[[nodiscard]] DeviceSheet sheetOf(const seam::Chip& chip, int number);

} // namespace weft::cuda
