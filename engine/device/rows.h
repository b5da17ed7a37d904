// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value seen along one dim: [outer, n, inner], as it lies in its format.

#include "device/kernel.h"

namespace weft {

struct Along {
    std::int64_t outer = 1;
    std::int64_t n = 1;
    std::int64_t inner = 1;
};

/// `dim` counts from the end when negative. The format must be a mere order of the dims.
[[nodiscard]] Along alongDim(const Shape& shape, const Format& format, std::int64_t dim);

/// Product of all dims but the last.
[[nodiscard]] std::int64_t rowsOf(const Shape& shape);

} // namespace weft
