// SPDX-License-Identifier: Apache-2.0
#pragma once
// Windows over rows and columns, in positions of the whole map, of which this device holds a range.

#include "device/kernel.h"

#include <array>

namespace weft::reference {

/// One side (rows or columns) of a window: output y reads y * stride - before + k * dilation.
struct Side {
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0; ///< padding
    std::int64_t after = 0;  ///< padding

    /// Whole input position that output `y` reads with tap `k`.
    [[nodiscard]] std::int64_t position(std::int64_t y, std::int64_t k) const {
        return y * stride - before + k * dilation;
    }
};

/// Rows, then columns.
using Sides = std::array<Side, 2>;

/// Reads stride, padding, dilation and kernel, as far as the attributes exist.
[[nodiscard]] Sides sidesOf(const Attributes& attributes);

/// The range of one dim that this device holds.
struct Range {
    std::int64_t begin, size, whole; ///< whole: size of the dim in all parts
    Range(const TensorPart& part, std::size_t dim)
        : begin(part.begin[dim]), size(part.shape[dim]), whole(part.whole[dim]) {}
    /// True if this device holds the position of the whole.
    [[nodiscard]] bool holds(std::int64_t position) const {
        return position >= begin && position < begin + size;
    }
};

} // namespace weft::reference
