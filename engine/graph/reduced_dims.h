// SPDX-License-Identifier: Apache-2.0
#pragma once
// The attributes `dims` and `keepdims` of reductions.

#include <weft/attributes.h>
#include <weft/types.h>

#include <vector>

namespace weft {

/// Returns for each dim whether `dims` names it; -1 names the last. Empty if a dim does not exist
/// or is named twice.
[[nodiscard]] std::vector<bool> reducedDims(const Attributes& attributes, std::size_t rank);

/// Returns the shape without these dims, or with size 1 there if the attribute `keepdims` is set.
[[nodiscard]] Shape reducedShape(const Shape& shape, const std::vector<bool>& isReduced,
                                 bool keepdims);

} // namespace weft
