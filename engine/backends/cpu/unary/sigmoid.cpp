// SPDX-License-Identifier: Apache-2.0
// y = 1 / (1 + exp(-x)); dx = dy y (1 - y)
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"

namespace weft::cpu {

void sigmoid(KernelList& list);

void sigmoid(KernelList& list) {
    addElementwise<1>(
        list, "sigmoid", [](float x) __attribute__((always_inline)) { return logistic(x); });
    addElementwise<2>(
        list, "sigmoid_gradient",
        [](float y, float dy) __attribute__((always_inline)) { return dy * y * (1 - y); });
}

} // namespace weft::cpu
