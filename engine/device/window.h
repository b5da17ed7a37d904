// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where windows lie over the part of a map that this device holds. A window at position o begins at
// row o * stride - padding of the whole map; parts say where in the whole they begin, so borders
// that came with the part and padding at the edge of the map are told apart.

#include "device/kernel.h"

#include <optional>

namespace weft {

/// Numbers per spatial dim, [rows, columns].
struct Windows {
    Shape kernel, stride, dilation;
    Shape padBefore; ///< rows missing before the part of the map
    Shape padAfter;  ///< and after it, never negative
    Shape mapBegin, mapWhole;
};

/// `map` and `windowed` are [b, c, h, w]: what windows look into, and one element per window.
/// None when the part of the map begins after or before what the windows need.
[[nodiscard]] std::optional<Windows> windowsOf(const Attributes& attributes, const Shape& kernel,
                                               const TensorPart& map, const TensorPart& windowed);

} // namespace weft
