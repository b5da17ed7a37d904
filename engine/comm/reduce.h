// SPDX-License-Identifier: Apache-2.0
#pragma once
// Element-wise arithmetic of collectives by element type. All communicators use it, so that they
// give equal bits.

#include "device/communicator.h"
#include <weft/types.h>

#include <span>

namespace weft {

/// out[k] = in[0][k] (+ or max) in[1][k] ..., in this order, for k in [begin, end). `out` may be
/// one of the inputs.
void reduceInOrder(DType dtype, Reduction reduction, std::span<const void* const> in, void* out,
                   std::int64_t begin, std::int64_t end);

/// Copies or reduces a piece of one buffer into a piece of another; both have the same count.
void movePiece(DType dtype, Reduction reduction, bool first, const void* in, const Piece& source,
               void* out, const Piece& target);

/// Returns [begin, end) of member `part` when `elements` are divided among `parts`, in whole cache
/// lines if there are enough.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> shareOf(std::int64_t elements, int part,
                                                            int parts);

/// True if the transfers to this member write every element of its outputs.
[[nodiscard]] bool coversOutputs(const CollectiveRequest& request, int member); ///< all elements

} // namespace weft
