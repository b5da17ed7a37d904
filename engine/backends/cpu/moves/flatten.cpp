// SPDX-License-Identifier: Apache-2.0
// [b, o, y, x] <-> [b, o*y*x], dims in another order, and [b, t, (h d)] <-> [b, h, t, d], as one
// box copy
#include "backends/cpu/moves/copies.h"
#include "device/settled_formats.h"

namespace weft::cpu {

void flatten(KernelList& list);

void flatten(KernelList& list) { addFlattens(list, "cpu", chooseCopyOfPieces, channelsLast()); }

} // namespace weft::cpu
