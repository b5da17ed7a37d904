// SPDX-License-Identifier: Apache-2.0
#pragma once
// The op of a row of the table of functions of two operands (functions/pairs.h), and what ops that
// broadcast their operands share.

#include "functions/pairs.h"
#include "graph/builder.h"
#include "graph/op.h"

namespace weft::ops {

void addPair(OpList& list, const functions::PairInfo& info);

/// Shape rule: the result has the broadcast shape of two operands.
void broadcastOperands(ShapeInference& inference);
/// Returns the placement string of an op of two broadcast operands. A dim of size 1 that is
/// repeated has a letter of its own, which is never split.
[[nodiscard]] std::string broadcastPlacement(const Signature& signature, functions::Linear linear);
/// Returns the gradient of operand k: the sum of `derivative`, which has the shape of the result,
/// over the dims along which the operand was repeated.
[[nodiscard]] ValueId summedToOperand(Gradient& gradient, std::size_t k, ValueId derivative);
/// Returns samples of one shape and of shapes that are broadcast.
[[nodiscard]] std::vector<Sample> broadcastSamples(bool positive);

} // namespace weft::ops
