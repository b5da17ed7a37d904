// SPDX-License-Identifier: Apache-2.0
#pragma once
// An array from a file in host memory: row-major bytes with dtype and shape. `bytes` holds exactly
// the elements of `shape`.

#include <weft/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace weft {

struct Array {
    DType dtype = DType::f32;
    Shape shape = {};
    std::vector<std::byte> bytes = {};
    bool operator==(const Array&) const = default;
};

/// Returns the bytes of an array, or nothing if a size is negative or the product overflows.
[[nodiscard]] std::optional<std::int64_t> bytesOf(const Shape& shape, std::size_t elementBytes);

} // namespace weft
