// SPDX-License-Identifier: Apache-2.0
// y = max(x, 0), where NaN stays NaN; dx = dy where y > 0
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void relu(KernelList& list);

void relu(KernelList& list) {
    addPerElement(list, "relu");
    addPerElement(list, "relu_gradient");
}

} // namespace weft::cuda
