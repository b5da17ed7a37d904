// SPDX-License-Identifier: Apache-2.0
#pragma once
// A chip as a device of the engine: memory that the host may not touch, streams as streams, events
// as events. Everything through the seam.

#include "device/backend.h"

#include <memory>

namespace weft::cuda {

[[nodiscard]] std::unique_ptr<Device> makeDevice(int number, DeviceSheet sheet);

} // namespace weft::cuda
