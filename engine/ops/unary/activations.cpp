// SPDX-License-Identifier: Apache-2.0
// The rows of functions/activations.h
#include "functions/table.h"
#include "ops/unary/function.h"

namespace weft::ops {

void activations(OpList& list) {
    functions::Activations::forEach([&]<class Row>(Row) { addFunction<Row>(list); });
}

} // namespace weft::ops
