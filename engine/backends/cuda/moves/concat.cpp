// SPDX-License-Identifier: Apache-2.0
// concat, slice and pad as box copies
#include "backends/cuda/moves/copies.h"

namespace weft::cuda {

void concat(KernelList& list);

void concat(KernelList& list) {
    addMoves(list, [](KernelList& makers) { addConcats(makers, "cuda", chooseCopyOfPieces); });
}

} // namespace weft::cuda
