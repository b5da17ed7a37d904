// SPDX-License-Identifier: Apache-2.0
// What follows from the rows of functions/functions.h
#include "example/functions/functions.h"

#include "ops/unary/function.h"

namespace weft::example::ops {

void functions(OpList& list) {
    example::functions::All::forEach([&]<class Row>(Row) { weft::ops::addFunction<Row>(list); });
}

} // namespace weft::example::ops
