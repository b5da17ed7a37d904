// SPDX-License-Identifier: Apache-2.0
// relu: y = max(x, 0)
// dx = dy where y > 0, else 0
#include "ops/elementwise.h"

namespace weft::ops {

void relu(OpList& list) {
    list.add(
        {.name = "relu",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .shape = likeFirst,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(0, gradient.add("relu_gradient", {gradient.output(), gradient.dy()}));
             },
         .placement = "~... -> ...",
         .cost = perElement(1),
         .inPlace = {{0, 0}},
         .samples = elementwiseSamples(1),
         .onnx = "Relu",
         .choice = GradientChoice{
             .pieces = [](const Attributes&) { return [](double y) { return y > 0 ? 1 : 0; }; }}});
    list.add(activationGradient("relu_gradient", "y", 1));
}

} // namespace weft::ops
