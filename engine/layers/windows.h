// SPDX-License-Identifier: Apache-2.0
#pragma once
// The attributes of layers that slide a window over rows and columns, and what they become as an
// op's attributes: lists of [rows, columns] and padding of all four sides.

#include "layers/layer.h"

namespace weft::layers {

[[nodiscard]] AttributeSpec kernelSpec();
/// `fallback` empty: the kernel's size, as PyTorch's pools have it.
[[nodiscard]] AttributeSpec strideSpec(std::vector<std::int64_t> fallback);
[[nodiscard]] AttributeSpec paddingSpec();
[[nodiscard]] AttributeSpec ceilSpec();

/// [rows, columns] of an attribute; one number stands for both.
[[nodiscard]] std::vector<std::int64_t> rowsAndColumns(const Attributes& attributes,
                                                       std::string_view name);
/// [top, left, bottom, right] with the same before and after.
[[nodiscard]] std::vector<std::int64_t> evenPadding(const Attributes& attributes);
/// kernel, stride, padding and ceil for a pooling op.
[[nodiscard]] Attributes poolWindow(const Attributes& attributes);

} // namespace weft::layers
