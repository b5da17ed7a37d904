// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that move boxes of elements from operands into their result.

#include "backends/cuda/request.h"
#include "device/copy_pieces.h"

namespace weft::cuda {

/// Fills the first `filled` elements of the result with those bits, then copies the pieces. What
/// lies where it belongs stays.
[[nodiscard]] KernelChoice choiceOfPieces(const KernelRequest& request,
                                          std::vector<CopyPiece> pieces, std::int64_t filled = 0,
                                          std::uint64_t bits = 0);

/// The same with zeros.
[[nodiscard]] KernelChoice copyPieces(const KernelRequest& request, std::vector<CopyPiece> pieces,
                                      std::int64_t zeroed);

/// The request, in which halves are elements of two bytes in the orders in which f32 would be.
[[nodiscard]] KernelRequest withHalvesAsTheyLie(const KernelRequest& request);

/// Adds makers that copy pieces of elements, whatever they are; of halves too where all operands
/// are such.
void addMoves(KernelList& list, const std::function<void(KernelList&)>& add);

} // namespace weft::cuda
