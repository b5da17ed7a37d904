// SPDX-License-Identifier: Apache-2.0
// softmax over the last dim: y = exp(x) / sum exp(x). softmax_gradient:
// dx = y (dy - sum of y dy).
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void softmaxShape(Inference& at) {
    if (hasDims(at, 0, "softmax takes [batch, ..., classes]")) {
        allEqual(at);
    }
}

/// m = max x; e = exp(x - m); y = e / sum e
void forwardFromReductions(Expansion& at) {
    const ValueId m = at.add("reduce_max", {at.input(0)});
    const ValueId e = at.add("exp_minus", {at.input(0), m});
    at.set(0, at.add("divide_rows", {e, at.add("reduce_sum", {e})}));
}

/// t = sum of y dy; dx = y (dy - t)
void backwardFromReductions(Expansion& at) {
    const ValueId y = at.input(0);
    const ValueId dy = at.input(1);
    const ValueId t = at.add("reduce_sum", {at.add("multiply", {y, dy})});
    at.set(0, at.add("multiply", {y, at.add("subtract_rows", {dy, t})}));
}

} // namespace

void softmax(OpList& list) {
    list.add({.name = "softmax",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = softmaxShape,
              .gradient =
                  [](Gradient& at) {
                      at.set(0, at.add("softmax_gradient", {at.output(), at.dy()}));
                  },
              .placement = "~... d! -> ... d!",
              .expand = forwardFromReductions,
              .cost = perElement(5),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(1),
              .onnx = "Softmax"});
    list.add({.name = "softmax_gradient",
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
