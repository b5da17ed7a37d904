// SPDX-License-Identifier: Apache-2.0
// y = tanh x; dx = dy (1 - y^2)
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void tanh(KernelList& list);

void tanh(KernelList& list) {
    addPerElement(list, "tanh");
    addPerElement(list, "tanh_gradient");
}

} // namespace weft::cuda
