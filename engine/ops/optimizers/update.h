// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the ops that update a parameter share: attributes, shape rule, shapes of samples.

#include "ops/elementwise.h"

namespace weft::ops {

[[nodiscard]] AttributeSpec coupledDecay();
[[nodiscard]] AttributeSpec rateScale();
[[nodiscard]] AttributeSpec denominatorEpsilon();

/// Returns the shape rule of (parameter, gradient, states..., learning rate, step if any).
[[nodiscard]] std::function<void(ShapeInference&)> updateShape(std::size_t states);

[[nodiscard]] std::vector<Shape> sampleParameters();

} // namespace weft::ops
