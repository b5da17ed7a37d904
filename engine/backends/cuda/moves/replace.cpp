// SPDX-License-Identifier: Apache-2.0
// y = the second operand
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void replace(KernelList& list);

void replace(KernelList& list) { addPerElement(list, "replace"); }

} // namespace weft::cuda
