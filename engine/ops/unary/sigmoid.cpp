// SPDX-License-Identifier: Apache-2.0
// sigmoid: y = 1 / (1 + exp(-x))
// dx = dy y (1 - y)
#include "ops/elementwise.h"

namespace weft::ops {

void sigmoid(OpList& list) {
    list.add({.name = "sigmoid",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = likeFirst,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(
                          0, gradient.add("sigmoid_gradient", {gradient.output(), gradient.dy()}));
                  },
              .placement = "~... -> ...",
              .cost = perElement(10),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(1),
              .onnx = "Sigmoid"});
    list.add(activationGradient("sigmoid_gradient", "y", 3));
}

} // namespace weft::ops
