// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers side by side in one register, as the compiler's own vectors: for loops that it would not
// keep in registers by itself. The loose ones lie at any address.

#include <cstdint>

namespace weft::cpu {

template <int width>
struct Lanes {
    typedef float floats __attribute__((vector_size(width * 4)));
    typedef float looseFloats __attribute__((vector_size(width * 4), aligned(4), may_alias));
    typedef std::int32_t integers __attribute__((vector_size(width * 4)));
    typedef std::int32_t looseIntegers
        __attribute__((vector_size(width * 4), aligned(4), may_alias));
};

} // namespace weft::cpu
