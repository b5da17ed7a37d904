// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value in memory order as [outer, n, inner] around one dim. Also included by CUDA sources.

#include <cstdint>

namespace weft {

struct Along {
    std::int64_t outer = 1;
    std::int64_t n = 1;
    std::int64_t inner = 1;
};

} // namespace weft
