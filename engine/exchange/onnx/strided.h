// SPDX-License-Identifier: Apache-2.0
#pragma once
// Constants as arrays: their elements along each dim, picked, repeated and transposed.

#include "exchange/onnx/model.h"

#include <cstddef>

namespace weft::onnx {

/// Largest number of elements of an array that has more than four times those of its operands.
inline constexpr std::int64_t mostRepeated = std::int64_t{1} << 24U;
/// Throws Refusal if an array of this shape repeats the operand's `elements` too often.
void requireFewRepeats(const Shape& shape, std::size_t elements);

/// Returns the number of elements. Throws Refusal if it exceeds the limit of an import.
[[nodiscard]] std::int64_t elementCount(const Shape& shape);
[[nodiscard]] Tensor zeros(Element element, Shape shape);
/// Returns the numbers of elements between neighbours along each dim.
[[nodiscard]] Shape stridesOf(const Shape& shape);

/// Calls `each(index in the result, index in the operand)` for all elements of `shape`, where the
/// operand has these strides and begins at `first`.
template <class Each>
void walk(const Shape& shape, const Shape& strides, std::int64_t first, Each each) {
    const std::int64_t count = elementCount(shape);
    Shape position(shape.size(), 0);
    std::int64_t from = first;
    for (std::int64_t k = 0; k < count; ++k) {
        each(static_cast<std::size_t>(k), static_cast<std::size_t>(from));
        for (std::size_t dim = shape.size(); dim-- > 0;) {
            from += strides[dim];
            if (++position[dim] < shape[dim]) {
                break;
            }
            from -= strides[dim] * shape[dim];
            position[dim] = 0;
        }
    }
}

/// Returns the elements of `from` at these strides, beginning with element `first`.
[[nodiscard]] Tensor gatherStrided(const Tensor& from, Shape shape, const Shape& strides,
                                   std::int64_t first);
/// Returns the shape that two operands are repeated to. Throws Refusal if they do not fit.
[[nodiscard]] Shape broadcastShape(const Shape& a, const Shape& b);
/// Returns the tensor, repeated along its dims of size 1 to this shape.
[[nodiscard]] Tensor broadcast(const Tensor& from, const Shape& shape);

/// Up to here a double holds every whole number.
inline constexpr double largestWhole = 9e15;
[[noreturn]] void refuseOverflow(); ///< throws Refusal
[[nodiscard]] std::int64_t checkedSum(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t checkedProduct(std::int64_t a, std::int64_t b);

} // namespace weft::onnx
