// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists the optional features of this build and machine: available, or what would make them
// available.

#include "device/backend.h"
#include "device/communicator_list.h"
#include <weft/devices.h>

#include <string>
#include <vector>

namespace weft {

[[nodiscard]] std::vector<Feature> featuresOf(const BackendList& backends,
                                              const CommunicatorList& communicators);
/// Returns the version number in the first line of text from NVIDIA's driver.
[[nodiscard]] std::string driverVersionIn(const std::string& line);

} // namespace weft
