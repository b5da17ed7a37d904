// SPDX-License-Identifier: Apache-2.0
// softmax over the last dim: y = exp(x) / sum exp(x). softmax_gradient:
// dx = y (dy - sum of y dy).
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void softmaxShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "softmax expects [batch, ..., classes]")) {
        allEqual(inference);
    }
}

/// m = max x; e = exp(x - m); y = e / sum e
void forwardFromReductions(Expansion& expansion) {
    const ValueId m = expansion.add("reduce_max", {expansion.input(0)});
    const ValueId e = expansion.add("exp_minus", {expansion.input(0), m});
    expansion.set(0, expansion.add("divide_rows", {e, expansion.add("reduce_sum", {e})}));
}

/// t = sum of y dy; dx = y (dy - t)
void backwardFromReductions(Expansion& expansion) {
    const ValueId y = expansion.input(0);
    const ValueId dy = expansion.input(1);
    const ValueId t = expansion.add("reduce_sum", {expansion.add("multiply", {y, dy})});
    expansion.set(0, expansion.add("multiply", {y, expansion.add("subtract_rows", {dy, t})}));
}

} // namespace

void softmax(OpList& list) {
    list.add({.name = "softmax",
              .help = "y = exp(x) / the sum of exp(x) over the last dim.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = softmaxShape,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(
                          0, gradient.add("softmax_gradient", {gradient.output(), gradient.dy()}));
                  },
              .placement = "~... d! -> ... d!",
              .expand = forwardFromReductions,
              .cost = perElement(5),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(1),
              .onnx = "Softmax"});
    list.add({.name = "softmax_gradient",
              .help = "Gradient of softmax: dx = y (dy - the sum of y dy over the last dim).",
              .inputs = {{"y"}, {"dy"}},
              .outputs = {"dx"},
              .shape = softmaxShape,
              .placement = "~... d!, ... d! -> ... d!",
              .expand = backwardFromReductions,
              .cost = perElement(4),
              .inPlace = {{0, 0}, {1, 0}},
              .samples = elementwiseSamples(2)});
}

} // namespace weft::ops
