// SPDX-License-Identifier: Apache-2.0
#pragma once
// Positions of convolution and pooling windows over the local part of a map. Window o begins at row
// o * stride - padding of the whole map. Parts know their position in the whole, so that halo rows
// and padding at the edge of the map can be distinguished.

#include "device/kernel.h"

#include <optional>

namespace weft {

/// Numbers per spatial dim, [rows, columns].
struct Windows {
    Shape kernel, stride, dilation; ///< per spatial dim, [rows, columns]
    Shape padBefore;                ///< padding before the local part, per spatial dim
    Shape padAfter;                 ///< padding after it, never negative
    Shape mapBegin, mapWhole; ///< where the local part begins in the whole map; the map's size
};

/// `map` is the windows' input and `windowed` has one element per window; both are [b, c, h, w].
/// Returns nothing if the local part of the map has rows or columns before its first window.
[[nodiscard]] std::optional<Windows> windowsOf(const Attributes& attributes, const Shape& kernel,
                                               const TensorPart& map, const TensorPart& windowed);

} // namespace weft
