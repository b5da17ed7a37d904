// SPDX-License-Identifier: Apache-2.0
#pragma once
// Positions of imported layers on the canvas: a row per depth, counted from the inputs.

#include <weft/design.h>

namespace weft::onnx {

/// Sets the positions. The layers are in order: each comes after those that it reads.
void placeLayers(Network& network);

} // namespace weft::onnx
