// SPDX-License-Identifier: Apache-2.0
#pragma once
// The optional parts of this build and machine: there, or what would bring them.

#include "device/backend.h"
#include "device/communicator_list.h"
#include <weft/devices.h>

#include <string>
#include <vector>

namespace weft {

[[nodiscard]] std::vector<Feature> featuresOf(const BackendList& backends,
                                              const CommunicatorList& communicators);
/// The number in the first line that NVIDIA's driver says of itself.
[[nodiscard]] std::string driverIn(const std::string& line);

} // namespace weft
