// SPDX-License-Identifier: Apache-2.0
// y = x Phi(x), Phi of the normal distribution; dx = dy (Phi(x) + x phi(x))
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void gelu(KernelList& list);

void gelu(KernelList& list) {
    addPerElement(list, "gelu");
    addPerElement(list, "gelu_gradient");
}

} // namespace weft::cuda
