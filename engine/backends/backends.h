// SPDX-License-Identifier: Apache-2.0
#pragma once
// The backends of this build: `fill` is written by CMake from the folders found beside this file.

#include "device/backend.h"

namespace weft::backends {

void fill(BackendList& list);

} // namespace weft::backends
