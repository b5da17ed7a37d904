// SPDX-License-Identifier: Apache-2.0
#pragma once
// The catalogue of layer kinds. CMake generates `fill` from the list in this folder's
// CMakeLists.txt.

#include "layers/layer.h"

namespace weft::layers {

void fill(LayerList& list); ///< adds every kind

} // namespace weft::layers
