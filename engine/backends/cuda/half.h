// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a number is kept as that is not kept as an f32: see half_numbers.h.

#include <cstdint>

namespace weft::cuda {

/// The first 16 bits of an f32, rounded to the nearest, to even between two.
using Half = std::uint16_t;

} // namespace weft::cuda
