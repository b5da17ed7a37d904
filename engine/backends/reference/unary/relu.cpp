// SPDX-License-Identifier: Apache-2.0
// y = max(x, 0), where NaN stays NaN; dx = dy where y > 0
#include "backends/reference/elementwise.h"

namespace weft::reference {

void relu(KernelList& list) {
    addUnary(list, "relu", [](auto x) { return x < 0 ? decltype(x)(0) : x; });
    addBinary(list, "relu_gradient", [](auto y, auto dy) { return y <= 0 ? decltype(y)(0) : dy; });
}

} // namespace weft::reference
