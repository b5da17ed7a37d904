// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value seen along one dim: [outer, n, inner], as it lies in its format. Sources for a GPU read
// it too.

#include <cstdint>

namespace weft {

struct Along {
    std::int64_t outer = 1;
    std::int64_t n = 1;
    std::int64_t inner = 1;
};

} // namespace weft
