// SPDX-License-Identifier: Apache-2.0
// y = log x, exp x, x^2, 1 / sqrt(x + epsilon)
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void log(KernelList& list);

void log(KernelList& list) {
    addUnary(list, "log", Unary::log);
    addUnary(list, "exp", Unary::exp);
    addUnary(list, "square", Unary::square);
    addUnary(list, "reciprocal_root", Unary::reciprocalRoot, "epsilon");
}

} // namespace weft::cuda
