// SPDX-License-Identifier: Apache-2.0
// The rows of functions/arithmetic.h
#include "functions/table.h"
#include "ops/unary/function.h"

namespace weft::ops {

void arithmetic(OpList& list) {
    functions::Arithmetic::forEach([&]<class Row>(Row) { addFunction<Row>(list); });
}

} // namespace weft::ops
