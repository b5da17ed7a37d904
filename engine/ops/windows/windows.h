// SPDX-License-Identifier: Apache-2.0
#pragma once
// Geometry of windows over rows and columns, from the attributes of convolutions and pools: output
// y reads positions y * stride - before + k * dilation.

#include "graph/op.h"
#include "graph/signature.h"

#include <array>
#include <string>
#include <vector>

namespace weft::ops {

struct Windows {
    std::array<std::int64_t, 2> kernel = {1, 1}; ///< rows, columns; likewise below
    std::array<std::int64_t, 2> stride = {1, 1};
    std::array<std::int64_t, 2> dilation = {1, 1};
    std::array<std::int64_t, 2> before = {0, 0}; ///< padding
    std::array<std::int64_t, 2> after = {0, 0};  ///< padding
    /// The last window may reach beyond the padding if it begins before the end of the input.
    bool ceil = false;

    /// Returns the number of windows along rows (0) or columns (1); below 1: the window does not
    /// fit.
    [[nodiscard]] std::int64_t outputs(std::size_t side, std::int64_t size) const;
    [[nodiscard]] std::vector<Window> letters() const; ///< for placement strings
    bool operator==(const Windows&) const = default;
};

/// Returns the attribute's two numbers, or its single number twice.
[[nodiscard]] std::array<std::int64_t, 2> pairOf(const Attributes& attributes,
                                                 std::string_view name);
/// Reads kernel, and stride, padding, dilation and ceil if the attributes have them.
[[nodiscard]] Windows windowsOf(const Attributes& attributes);

/// True if the input is [batch, channels, rows, columns]; refuses otherwise.
bool isPicture(ShapeInference& inference, std::size_t input, std::string_view name,
               std::string_view layer);
/// Infers the output shape, one element per window, or refuses.
bool inferWindows(ShapeInference& inference, const Windows& windows, const Shape& input,
                  Shape& output);

/// Refuses padding that leaves a window without any input.
bool hasPaddingBelowKernel(ShapeInference& inference, const Windows& windows);

/// Returns the sizes of the letters ky and kx of a pool, from its attributes.
[[nodiscard]] std::map<std::string, std::int64_t> taps(const Signature& signature);
[[nodiscard]] std::vector<Window> windowLetters(const Signature& signature); ///< for placement

/// Declarations of the attributes that windows are read from.
[[nodiscard]] AttributeSpec kernelAttribute();
[[nodiscard]] AttributeSpec strideAttribute();
[[nodiscard]] AttributeSpec paddingAttribute();
[[nodiscard]] AttributeSpec dilationAttribute();
[[nodiscard]] AttributeSpec ceilAttribute();
/// Returns the attribute [rows, columns]: the size of the input, for its gradient.
[[nodiscard]] AttributeSpec sizeAttribute();

} // namespace weft::ops
