// SPDX-License-Identifier: Apache-2.0
// y = max(x, 0), where NaN stays NaN; dx = dy where y > 0
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void relu(KernelList& list);

void relu(KernelList& list) {
    addUnary(list, "relu", Unary::relu);
    addBinary(list, "relu_gradient", Binary::reluGradient);
}

} // namespace weft::cuda
