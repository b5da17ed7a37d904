// SPDX-License-Identifier: Apache-2.0
#pragma once
// Broadcasting of two values as in numpy, but over the dims after the batch only: dim 0 of both is
// the batch and must be equal. The other dims are aligned from the last; where sizes differ, one of
// them is 1 or missing.

#include <weft/types.h>

#include <optional>

namespace weft {

/// Returns the shape with dims of size 1 inserted after the batch, so that it has `rank` dims.
[[nodiscard]] Shape alignedShape(const Shape& shape, std::size_t rank);

/// Returns the shape of the result; nothing if the shapes do not fit.
[[nodiscard]] std::optional<Shape> broadcastShape(const Shape& a, const Shape& b);

} // namespace weft
