// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layer of a row of the table of elementwise functions: the op of the same name.

#include "functions/row.h"
#include "layers/layer.h"

namespace weft::layers {

void addFunction(LayerList& list, const functions::Info& info); ///< adds its layer

} // namespace weft::layers
