// SPDX-License-Identifier: Apache-2.0
#pragma once
// The data sheet of a share of this machine's processor: properties from hwloc, and a first rate
// from clock and register width, which calibration replaces.

#include <weft/devices.h>

namespace weft::cpu {

[[nodiscard]] DeviceSheet sheetOf(const std::string& device, int cores);

} // namespace weft::cpu
