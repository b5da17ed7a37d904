// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value in memory order as [outer, n, inner] around one dim. Also included by CUDA sources.

#include <cstdint>

namespace weft {

struct Along {              ///< sizes of a row-major value around one dim
    std::int64_t outer = 1; ///< product of the sizes before the dim
    std::int64_t n = 1;     ///< size of the dim
    std::int64_t inner = 1; ///< product of the sizes after the dim
};

} // namespace weft
