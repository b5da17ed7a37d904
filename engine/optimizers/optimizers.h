// SPDX-License-Identifier: Apache-2.0
#pragma once
// The list of optimizers. CMake generates `fill` from the list in this folder's CMakeLists.txt.

#include "optimizers/optimizer.h"

namespace weft::optimizers {

void fill(OptimizerList& list); ///< adds all optimizers of this folder

} // namespace weft::optimizers
