// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that move boxes of elements from operands into their result.

#include "backends/cuda/request.h"
#include "device/box_copy.h"

namespace weft::cuda {

/// A box, with the offsets in elements of its first.
struct Piece {
    BoxCopy copy;
    std::size_t input = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
};

/// Fills the first `filled` elements of the result with those bits, then copies the pieces. What
/// lies where it belongs stays.
[[nodiscard]] KernelChoice choiceOfPieces(const KernelRequest& request, std::vector<Piece> pieces,
                                          std::int64_t filled = 0, std::uint64_t bits = 0);

} // namespace weft::cuda
