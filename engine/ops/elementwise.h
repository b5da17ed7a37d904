// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules that elementwise ops share: shapes, costs, letters, and samples with odd sizes.

#include "graph/builder.h"
#include "graph/op.h"
#include "ops/rules.h"

#include <string>
#include <vector>

namespace weft::ops {

/// Gives every result the type and shape of the first operand.
void likeFirst(ShapeInference& inference); ///< results: type and shape of input 0
/// Like likeFirst, and refuses operands of different shapes.
void allEqual(ShapeInference& inference); ///< requires equal shapes

/// True if the operand has dims; otherwise refuses it with what the op takes.
bool hasDims(ShapeInference& inference, std::size_t input, std::string_view takes);
[[nodiscard]] Shape withoutLast(const Shape& shape);

/// Returns a cost rule: this number of operations per element of the first operand.
[[nodiscard]] std::function<Flops(const Signature&)> perElement(std::int64_t flops);

/// Returns the letters of `...` alone for that rank: {"b", "o", "y", "x"}.
[[nodiscard]] std::vector<std::string> dimLetters(std::size_t rank);
/// Returns "b o y x", or "()" for no letters.
[[nodiscard]] std::string joined(const std::vector<std::string>& letters);

/// Returns samples with odd shapes and this number of operands.
[[nodiscard]] std::vector<Sample> elementwiseSamples(std::size_t operands, bool positive = false);

/// Returns 1 where x is above 0, else 0: an operand for samples of ops that read conditions.
[[nodiscard]] ValueId conditionOf(Builder& builder, ValueId x);

/// Returns the op (y or x, dy) -> dx, which is elementwise and linear in dy only.
[[nodiscard]] Op activationGradient(std::string name, std::string saved, std::int64_t flops);

} // namespace weft::ops
