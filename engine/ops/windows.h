// SPDX-License-Identifier: Apache-2.0
#pragma once
// Geometry of windows over rows and columns, as the attributes of convolutions and pools say it:
// output y reads positions y * stride - before + k * dilation.

#include "graph/op.h"
#include "graph/signature.h"

#include <array>
#include <string>
#include <vector>

namespace weft::ops {

struct Windows {
    std::array<std::int64_t, 2> kernel = {1, 1}; ///< rows, columns; so are all of these
    std::array<std::int64_t, 2> stride = {1, 1};
    std::array<std::int64_t, 2> dilation = {1, 1};
    std::array<std::int64_t, 2> before = {0, 0};
    std::array<std::int64_t, 2> after = {0, 0};
    /// The last window may reach beyond the padding, when it begins before the end of the input.
    bool ceil = false;

    /// Positions of the window along rows (0) or columns (1); below 1: it does not fit.
    [[nodiscard]] std::int64_t outputs(std::size_t side, std::int64_t size) const;
    [[nodiscard]] std::vector<Window> letters() const;
    bool operator==(const Windows&) const = default;
};

/// A list of two, or one number for both.
[[nodiscard]] std::array<std::int64_t, 2> pairOf(const Attributes& attributes,
                                                 std::string_view name);
/// Stride, padding, dilation and ceil where the attributes have them; kernel too.
[[nodiscard]] Windows windowsOf(const Attributes& attributes);

/// True when the input is [batch, channels, rows, columns]; refuses otherwise.
bool isPicture(Inference& inference, std::size_t input, std::string_view name,
               std::string_view layer);
/// The shape of one window per output, or a refusal.
bool inferWindows(Inference& inference, const Windows& windows, const Shape& input, Shape& output);

/// Refuses padding that leaves a window without any input.
bool hasPaddingBelowKernel(Inference& inference, const Windows& windows);

/// For pools: sizes of the letters ky and kx, and the geometry, by the attributes alone.
[[nodiscard]] std::map<std::string, std::int64_t> taps(const Signature& signature);
[[nodiscard]] std::vector<Window> windowLetters(const Signature& signature);

/// The attributes that windows are read from, for declarations.
[[nodiscard]] AttributeSpec kernelAttribute();
[[nodiscard]] AttributeSpec strideAttribute();
[[nodiscard]] AttributeSpec paddingAttribute();
[[nodiscard]] AttributeSpec dilationAttribute();
[[nodiscard]] AttributeSpec ceilAttribute();
/// [rows, columns] of the input whose gradient is made.
[[nodiscard]] AttributeSpec sizeAttribute();

} // namespace weft::ops
