// SPDX-License-Identifier: Apache-2.0
// y = exp(x - s), x / s, x - s, x s, with one number s per row
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void exp_minus(KernelList& list);

void exp_minus(KernelList& list) {
    addPerRow(list, "exp_minus", Binary::expMinus);
    addPerRow(list, "divide_rows", Binary::divide);
    addPerRow(list, "subtract_rows", Binary::subtract);
    addPerRow(list, "multiply_rows", Binary::multiply);
}

} // namespace weft::cuda
