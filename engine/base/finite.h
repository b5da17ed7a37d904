// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks tensors for NaN and infinity.

#include <weft/types.h>

#include <cstddef>
#include <span>

namespace weft {

/// True if no f32 or f64 number is NaN or infinite; other types are always finite.
[[nodiscard]] bool areFinite(DType dtype, std::span<const std::byte> numbers);

} // namespace weft
