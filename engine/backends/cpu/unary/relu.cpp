// SPDX-License-Identifier: Apache-2.0
// y = max(x, 0), where NaN stays NaN; dx = dy where y > 0
#include "backends/cpu/elementwise.h"

namespace weft::cpu {

void relu(KernelList& list);

void relu(KernelList& list) {
    addElementwise<1>(
        list, "relu", [](float x) __attribute__((always_inline)) { return x < 0 ? 0.0F : x; });
    addElementwise<2>(
        list, "relu_gradient",
        [](float y, float dy) __attribute__((always_inline)) { return y <= 0 ? 0.0F : dy; });
}

} // namespace weft::cpu
