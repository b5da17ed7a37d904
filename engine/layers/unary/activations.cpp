// SPDX-License-Identifier: Apache-2.0
// The rows of functions/activations.h
#include "functions/table.h"
#include "layers/unary/function.h"

namespace weft::layers {

void activations(LayerList& list) {
    functions::Activations::forEach([&]<class Row>(Row) { addFunction(list, Row::info); });
}

} // namespace weft::layers
