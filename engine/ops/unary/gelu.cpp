// SPDX-License-Identifier: Apache-2.0
// gelu, exact: y = x Phi(x) = x/2 (1 + erf(x / sqrt 2)), as PyTorch's default
// dx = dy (Phi(x) + x phi(x)) with phi(x) = exp(-x^2/2) / sqrt(2 pi)
#include "ops/elementwise.h"

namespace weft::ops {

void gelu(OpList& list) {
    list.add(
        {.name = "gelu",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .shape = likeFirst,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(0, gradient.add("gelu_gradient", {gradient.input(0), gradient.dy()}));
             },
         .placement = "~... -> ...",
         .cost = perElement(14),
         .inPlace = {{0, 0}},
         .samples = elementwiseSamples(1),
         .onnx = "Gelu"});
    list.add(activationGradient("gelu_gradient", "x", 20));
}

} // namespace weft::ops
