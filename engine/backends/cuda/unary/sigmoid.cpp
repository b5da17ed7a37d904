// SPDX-License-Identifier: Apache-2.0
// y = 1 / (1 + exp -x); dx = dy y (1 - y)
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void sigmoid(KernelList& list);

void sigmoid(KernelList& list) {
    addPerElement(list, "sigmoid");
    addPerElement(list, "sigmoid_gradient");
}

} // namespace weft::cuda
