// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes nodes at import whose inputs are constant: shape arithmetic, transposed weights,
// weights with a scale.

#include "exchange/onnx/model.h"

#include <string_view>
#include <vector>

namespace weft::onnx {

/// True for operators that `fold` computes.
[[nodiscard]] bool canFold(const Node& node);

/// Returns the output of the node; a missing optional input is nullptr. Throws Refusal if the
/// operands do not fit, or the result is too large: it has at most four times as many elements as
/// the operands, or 2^24.
[[nodiscard]] TensorPointer fold(const Node& node, std::int64_t opset,
                                 const std::vector<TensorPointer>& inputs);

[[nodiscard]] TensorPointer integerTensor(Shape values); ///< i64, with one dim
[[nodiscard]] TensorPointer floatTensor(Shape shape, std::vector<float> numbers);

/// Returns the shape that Reshape makes of `from`, with 0 for a copied and -1 for a computed dim.
/// Throws Refusal if it does not fit.
[[nodiscard]] Shape reshapedShape(const Shape& from, const Shape& target, bool zeroIsZero);
/// Returns the transposed matrix [columns, rows].
[[nodiscard]] Tensor transposedMatrix(const Tensor& matrix);

} // namespace weft::onnx
