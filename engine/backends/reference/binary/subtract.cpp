// SPDX-License-Identifier: Apache-2.0
// y = a - b
#include "backends/reference/elementwise.h"

namespace weft::reference {

void subtract(KernelList& list) {
    addBinary(list, "subtract", [](auto a, auto b) { return a - b; });
}

} // namespace weft::reference
