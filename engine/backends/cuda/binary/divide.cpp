// SPDX-License-Identifier: Apache-2.0
// y = a / b
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void divide(KernelList& list);

void divide(KernelList& list) { addPerElement(list, "divide"); }

} // namespace weft::cuda
