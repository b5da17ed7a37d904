// SPDX-License-Identifier: Apache-2.0
#include "ops/optimizers/update.h"

namespace weft::ops {

AttributeSpec coupledDecay() {
    return {.name = "weight_decay",
            .defaultValue = 0.0,
            .help = "Weight decay as an L2 term of the gradient."};
}

AttributeSpec rateScale() {
    return {.name = "rate_scale", .defaultValue = 1.0, .help = "Factor on the learning rate."};
}

AttributeSpec denominatorEpsilon() {
    return {.name = "epsilon",
            .defaultValue = 1e-8,
            .help = "Added to the denominator for numerical stability."};
}

std::function<void(ShapeInference&)> updateShape(std::size_t states) {
    return [rate = 2 + states](ShapeInference& inference) {
        likeFirst(inference);
        for (std::size_t k = 1; k < inference.inputs(); ++k) {
            hasShape(inference, k, k < rate ? inference.shape(0) : Shape{},
                     k == 1      ? "the gradient"
                     : k < rate  ? "the optimizer's state"
                     : k == rate ? "the learning rate"
                                 : "the step");
        }
    };
}

std::vector<Shape> sampleParameters() { return {{4, 10}, {1, 1}, {17}, {3, 2, 3, 3}}; }

} // namespace weft::ops
