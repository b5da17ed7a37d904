// SPDX-License-Identifier: Apache-2.0
// y = tanh(x); dx = dy (1 - y^2)
#include "backends/reference/elementwise.h"

#include <cmath>

namespace weft::reference {

void tanh(KernelList& list) {
    addUnary(list, "tanh", [](auto x) { return std::tanh(x); });
    addBinary(list, "tanh_gradient", [](auto y, auto dy) { return dy * (1 - y * y); });
}

} // namespace weft::reference
