// SPDX-License-Identifier: Apache-2.0
// The rows of functions/arithmetic.h
#include "backends/cpu/unary/function.h"
#include "functions/table.h"

namespace weft::cpu {

void arithmetic(KernelList& list);

void arithmetic(KernelList& list) {
    functions::Arithmetic::forEach([&]<class Row>(Row) { addFunction<Row>(list); });
}

} // namespace weft::cpu
