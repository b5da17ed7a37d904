// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attributes of layers that slide a window over rows and columns, and their conversion to op
// attributes: lists of [rows, columns] and padding of all four sides.

#include "layers/layer.h"

namespace weft::layers {

[[nodiscard]] AttributeSpec kernelSpec();
/// If `fallback` is empty, the default is the kernel's size, as in PyTorch's pools.
[[nodiscard]] AttributeSpec strideSpec(std::vector<std::int64_t> fallback);
[[nodiscard]] AttributeSpec paddingSpec();
[[nodiscard]] AttributeSpec ceilSpec();

/// Returns [rows, columns] of an attribute; a single number means both.
[[nodiscard]] std::vector<std::int64_t> rowsAndColumns(const Attributes& attributes,
                                                       std::string_view name);
/// Returns [top, left, bottom, right] for symmetric padding.
[[nodiscard]] std::vector<std::int64_t> evenPadding(const Attributes& attributes);
/// Returns kernel, stride, padding and ceil for a pooling op.
[[nodiscard]] Attributes poolWindow(const Attributes& attributes);

} // namespace weft::layers
