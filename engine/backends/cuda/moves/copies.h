// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that copy boxes of elements from operands to their result.

#include "backends/cuda/request.h"
#include "device/copy_pieces.h"

namespace weft::cuda {

/// Fills the result, then copies the pieces. Pieces that are already in place are not copied.
[[nodiscard]] KernelChoice chooseCopyOfPieces(const KernelRequest& request,
                                              std::vector<CopyPiece> pieces, Filling filling = {});

/// Returns the request with bf16 operands as elements of two bytes in the same order.
[[nodiscard]] KernelRequest withBf16AsItLies(const KernelRequest& request);

/// Adds makers that copy elements of any type, and bf16 if all operands are bf16.
void addMoves(KernelList& list, const std::function<void(KernelList&)>& add);

} // namespace weft::cuda
