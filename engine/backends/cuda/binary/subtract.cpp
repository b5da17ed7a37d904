// SPDX-License-Identifier: Apache-2.0
// y = a - b
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void subtract(KernelList& list);

void subtract(KernelList& list) { addPerElement(list, "subtract"); }

} // namespace weft::cuda
