// SPDX-License-Identifier: Apache-2.0
// tanh: y = tanh(x)
// dx = dy (1 - y^2)
#include "ops/elementwise.h"

namespace weft::ops {

void tanh(OpList& list) {
    list.add(
        {.name = "tanh",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .shape = likeFirst,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(0, gradient.add("tanh_gradient", {gradient.output(), gradient.dy()}));
             },
         .placement = "~... -> ...",
         .cost = perElement(10),
         .inPlace = {{0, 0}},
         .samples = elementwiseSamples(1),
         .onnx = "Tanh"});
    list.add(activationGradient("tanh_gradient", "y", 3));
}

} // namespace weft::ops
