// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers of a tensor that are none, or are beyond all others.

#include <weft/types.h>

#include <cstddef>
#include <span>

namespace weft {

/// Neither infinite nor no number: those of f32 and f64; all else is finite.
[[nodiscard]] bool areFinite(DType dtype, std::span<const std::byte> numbers);

} // namespace weft
