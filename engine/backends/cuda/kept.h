// SPDX-License-Identifier: Apache-2.0
#pragma once
// How numbers of f32 are kept: as they are, or as halves (bf16). Makers choose, kernels are made
// for both (half_numbers.h).

#include <cstdint>

namespace weft::cuda {

/// The first 16 bits of an f32, rounded to the nearest, to even between two.
using Half = std::uint16_t;

/// with(a number as it is kept)
template <class With>
decltype(auto) asKept(bool areHalves, const With& with) {
    return areHalves ? with(Half{}) : with(float{});
}

} // namespace weft::cuda
