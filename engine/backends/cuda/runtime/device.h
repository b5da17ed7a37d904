// SPDX-License-Identifier: Apache-2.0
#pragma once
// A GPU as a device of the engine, with its memory, CUDA streams and CUDA events, through seam.h.

#include "device/backend.h"

#include <memory>

namespace weft::cuda {

[[nodiscard]] std::unique_ptr<Device> makeDevice(int number, DeviceSheet sheet);

} // namespace weft::cuda
