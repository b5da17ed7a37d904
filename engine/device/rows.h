// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views of values along one dim and as rows.

#include "device/along.h"
#include "device/kernel.h"

namespace weft {

/// A negative `dim` counts from the end. The format must only permute the dims.
[[nodiscard]] Along alongDim(const Shape& shape, const Format& format, std::int64_t dim);

[[nodiscard]] std::int64_t rowsOf(const Shape& shape); ///< product of all dims but the last

} // namespace weft
