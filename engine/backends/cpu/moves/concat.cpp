// SPDX-License-Identifier: Apache-2.0
// concat, slice and pad as box copies
#include "backends/cpu/moves/copies.h"

namespace weft::cpu {

void concat(KernelList& list);

void concat(KernelList& list) { addConcats(list, "cpu", chooseCopyOfPieces); }

} // namespace weft::cpu
