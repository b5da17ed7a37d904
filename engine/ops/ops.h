// SPDX-License-Identifier: Apache-2.0
#pragma once
// The catalogue of ops. CMake generates `fill` from the list in this folder's CMakeLists.txt.

#include "graph/op.h"

namespace weft::ops {

void fill(OpList& list); ///< adds every op

} // namespace weft::ops
