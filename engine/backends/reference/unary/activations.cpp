// SPDX-License-Identifier: Apache-2.0
// The rows of functions/activations.h
#include "backends/reference/unary/function.h"
#include "functions/table.h"

namespace weft::reference {

void activations(KernelList& list) {
    functions::Activations::forEach([&]<class Row>(Row) { addFunction<Row>(list); });
}

} // namespace weft::reference
