// SPDX-License-Identifier: Apache-2.0
#pragma once
// The list of optimizers: `fill` is written by CMake from the list in this folder's CMakeLists.txt.

#include "optimizers/optimizer.h"

namespace weft::optimizers {

void fill(OptimizerList& list);

} // namespace weft::optimizers
