// SPDX-License-Identifier: Apache-2.0
// y = tanh(x); dx = dy (1 - y^2)
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"

namespace weft::cpu {

void tanh(KernelList& list);

void tanh(KernelList& list) {
    addElementwise<1>(
        list, "tanh", [](float x) __attribute__((always_inline)) { return hyperbolicTangent(x); });
    addElementwise<2>(
        list, "tanh_gradient",
        [](float y, float dy) __attribute__((always_inline)) { return dy * (1 - y * y); });
}

} // namespace weft::cpu
