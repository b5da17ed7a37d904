// SPDX-License-Identifier: Apache-2.0
#pragma once
// The optional parts of this build and machine: there, or what would bring them.

#include "device/backend.h"
#include <weft/devices.h>

#include <vector>

namespace weft {

[[nodiscard]] std::vector<Feature> featuresOf(const BackendList& backends);

} // namespace weft
