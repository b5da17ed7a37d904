// SPDX-License-Identifier: Apache-2.0
// y = 1 / (1 + exp(-x)); dx = dy y (1 - y)
#include "backends/reference/elementwise.h"

#include <cmath>

namespace weft::reference {

void sigmoid(KernelList& list) {
    addUnary(list, "sigmoid", [](auto x) { return 1 / (1 + std::exp(-x)); });
    addBinary(list, "sigmoid_gradient", [](auto y, auto dy) { return dy * y * (1 - y); });
}

} // namespace weft::reference
