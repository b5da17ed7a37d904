// SPDX-License-Identifier: Apache-2.0
// y = x / (1 + |x|); dx = dy / (1 + |x|)^2
#include "backends/reference/elementwise.h"

#include <cmath>

namespace weft::example::reference {

using namespace weft::reference;

void softsign(KernelList& list) {
    addUnary(list, "softsign", [](auto x) { return x / (1 + std::abs(x)); });
    addBinary(list, "softsign_gradient",
              [](auto x, auto dy) { return dy / ((1 + std::abs(x)) * (1 + std::abs(x))); });
}

} // namespace weft::example::reference
