// SPDX-License-Identifier: Apache-2.0
// y = a b
#include "backends/reference/elementwise.h"

namespace weft::reference {

void multiply(KernelList& list) {
    addBinary(list, "multiply", [](auto a, auto b) { return a * b; });
}

} // namespace weft::reference
