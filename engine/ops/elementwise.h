// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rules that elementwise ops share: shapes, costs, letters and odd samples.

#include "graph/builder.h"
#include "graph/op.h"
#include "ops/rules.h"

#include <string>
#include <vector>

namespace weft::ops {

/// Every result has the type and shape of the first operand.
void likeFirst(Inference& inference);
/// The same, and refuses operands of another shape.
void allEqual(Inference& inference);

/// True unless the operand is a single number; refuses it with what the op takes.
bool hasDims(Inference& inference, std::size_t input, std::string_view takes);
[[nodiscard]] Shape withoutLast(const Shape& shape);

/// So many operations per element of the first operand.
[[nodiscard]] std::function<Flops(const Signature&)> perElement(std::int64_t flops);

/// What `...` alone reads for that rank: {"b", "o", "y", "x"}.
[[nodiscard]] std::vector<std::string> dimLetters(std::size_t rank);
/// "b o y x"; "()" of none.
[[nodiscard]] std::string joined(const std::vector<std::string>& letters);

/// Odd shapes, each for so many operands.
[[nodiscard]] std::vector<Sample> elementwiseSamples(std::size_t operands, bool positive = false);

/// (y or x, dy) -> dx, elementwise and linear in dy alone.
[[nodiscard]] Op activationGradient(std::string name, std::string saved, std::int64_t flops);

} // namespace weft::ops
