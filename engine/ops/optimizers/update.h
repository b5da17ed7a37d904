// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the ops that update a parameter share: attributes, shape rule, shapes of samples.

#include "ops/elementwise.h"

namespace weft::ops {

[[nodiscard]] AttributeSpec coupledDecay(); ///< "weight_decay", added to the gradient
[[nodiscard]] AttributeSpec rateScale();    ///< factor of the learning rate
[[nodiscard]] AttributeSpec denominatorEpsilon();

/// Returns the shape rule of (parameter, gradient, states..., learning rate, step if any).
[[nodiscard]] std::function<void(ShapeInference&)> updateShape(std::size_t states);

[[nodiscard]] std::vector<Shape> sampleParameters(); ///< shapes

} // namespace weft::ops
