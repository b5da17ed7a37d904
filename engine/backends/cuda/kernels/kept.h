// SPDX-License-Identifier: Apache-2.0
#pragma once
// Storage of f32 values, as f32 or bf16. Makers choose the type, and kernels are compiled for both
// (bf16_numbers.h).

#include <cstdint>

namespace weft::cuda {

/// bf16: the upper 16 bits of an f32, rounded to nearest even.
using Bf16 = std::uint16_t; ///< bits of a bf16 number

/// Calls with(a value of the stored type).
template <class With>
decltype(auto) asKept(bool areBf16, const With& with) {
    return areBf16 ? with(Bf16{}) : with(float{});
}

} // namespace weft::cuda
