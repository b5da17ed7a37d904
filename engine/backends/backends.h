// SPDX-License-Identifier: Apache-2.0
#pragma once
// The list of this build's backends. CMake writes `fill` from the folders beside this file.

#include "device/backend.h"

namespace weft::backends {

void fill(BackendList& list); ///< adds all backends of this build

} // namespace weft::backends
