// SPDX-License-Identifier: Apache-2.0
// y = a b
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void multiply(KernelList& list);

void multiply(KernelList& list) { addPerElement(list, "multiply"); }

} // namespace weft::cuda
