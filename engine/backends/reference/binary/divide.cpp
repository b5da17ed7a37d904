// SPDX-License-Identifier: Apache-2.0
// y = a / b
#include "backends/reference/elementwise.h"

namespace weft::reference {

void divide(KernelList& list) {
    addBinary(list, "divide", [](auto a, auto b) { return a / b; });
}

} // namespace weft::reference
