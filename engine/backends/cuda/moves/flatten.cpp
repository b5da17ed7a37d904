// SPDX-License-Identifier: Apache-2.0
// [b, o, y, x] <-> [b, o*y*x], dims in another order, and [b, t, (h d)] <-> [b, h, t, d], as one
// box copy
#include "backends/cuda/moves/copies.h"

namespace weft::cuda {

void flatten(KernelList& list);

void flatten(KernelList& list) {
    addMoves(list, [](KernelList& makers) { addFlattens(makers, "cuda", chooseCopyOfPieces, {}); });
}

} // namespace weft::cuda
