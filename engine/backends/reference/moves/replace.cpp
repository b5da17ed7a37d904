// SPDX-License-Identifier: Apache-2.0
// y = x
#include "backends/reference/elementwise.h"

namespace weft::reference {

void replace(KernelList& list) {
    addBinary(list, "replace", [](auto, auto x) { return x; });
}

} // namespace weft::reference
