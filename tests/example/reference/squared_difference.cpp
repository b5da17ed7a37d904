// SPDX-License-Identifier: Apache-2.0
// y = (a - b)^2
#include "backends/reference/elementwise.h"

namespace weft::example::reference {

using namespace weft::reference;

void squared_difference(KernelList& list) {
    addBinary(list, "squared_difference", [](auto a, auto b) { return (a - b) * (a - b); });
}

} // namespace weft::example::reference
