// SPDX-License-Identifier: Apache-2.0
#pragma once
// The data sheet of a share of this machine's processor: what hwloc says it is, and a first rate
// from its clock and width, which calibration replaces by measured ones.

#include <weft/devices.h>

namespace weft::cpu {

[[nodiscard]] DeviceSheet sheetOf(const std::string& device, int cores);

} // namespace weft::cpu
