// SPDX-License-Identifier: Apache-2.0
// What follows from the rows of functions/functions.h
#include "example/functions/functions.h"

#include "backends/reference/unary/function.h"

namespace weft::example::reference {

void functions(KernelList& list) {
    example::functions::All::forEach(
        [&]<class Row>(Row) { weft::reference::addFunction<Row>(list); });
}

} // namespace weft::example::reference
