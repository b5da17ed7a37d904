// SPDX-License-Identifier: Apache-2.0
// The rows of functions/activations.h
#include "backends/cuda/elementwise.h"
#include "functions/table.h"

namespace weft::cuda {

void activations(KernelList& list);

void activations(KernelList& list) {
    functions::Activations::forEach([&]<class Row>(Row) { addFunction(list, Row::info); });
}

} // namespace weft::cuda
