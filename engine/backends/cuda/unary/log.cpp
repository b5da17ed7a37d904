// SPDX-License-Identifier: Apache-2.0
// y = log x, exp x, x^2, 1 / sqrt(x + epsilon)
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void log(KernelList& list);

void log(KernelList& list) {
    addPerElement(list, "log");
    addPerElement(list, "exp");
    addPerElement(list, "square");
    addPerElement(list, "reciprocal_root");
}

} // namespace weft::cuda
