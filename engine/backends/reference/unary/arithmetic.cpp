// SPDX-License-Identifier: Apache-2.0
// The rows of functions/arithmetic.h
#include "backends/reference/unary/function.h"
#include "functions/table.h"

namespace weft::reference {

void arithmetic(KernelList& list) {
    functions::Arithmetic::forEach([&]<class Row>(Row) { addFunction<Row>(list); });
}

} // namespace weft::reference
