// SPDX-License-Identifier: Apache-2.0
// The rows of functions/arithmetic.h
#include "backends/cuda/elementwise.h"
#include "functions/table.h"

namespace weft::cuda {

void arithmetic(KernelList& list);

void arithmetic(KernelList& list) {
    functions::Arithmetic::forEach([&]<class Row>(Row) { addFunction(list, Row::info); });
}

} // namespace weft::cuda
