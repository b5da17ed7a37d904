// SPDX-License-Identifier: Apache-2.0
// squares: y = sum of x^2, the square of a norm. clip_factor: y = min(1, limit / (sqrt(n) + 1e-6))
// for a squared norm n, as PyTorch's clip_grad_norm_.
#include "ops/elementwise.h"

namespace weft::ops {

void squares(OpList& list) {
    list.add({.name = "squares",
              .help = "The sum of the squares of all elements.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape =
                  [](ShapeInference& inference) {
                      inference.output(0) = {inference.input(0).dtype, {}};
                  },
              .placement = "~... -> ()",
              .cost = perElement(2),
              .samples = elementwiseSamples(1),
              .onnx = "ReduceSumSquare"});
    list.add({.name = "clip_factor",
              .help = "The factor that clips a gradient's norm: min(1, limit / norm), from the "
                      "squared norm.",
              .inputs = {{"n"}},
              .outputs = {"y"},
              .attributes = {{.name = "limit",
                              .defaultValue = 1.0,
                              .help = "Largest gradient norm that is not clipped.",
                              .least = 0}},
              .shape =
                  [](ShapeInference& inference) {
                      likeFirst(inference);
                      hasShape(inference, 0, {}, "the squared norm");
                  },
              .placement = "~() -> ()",
              .cost = perElement(3),
              .inPlace = {{0, 0}},
              .samples = {{.inputs = {{}}, .attributes = {{"limit", 0.2}}, .positive = true},
                          {.inputs = {{}}, .attributes = {{"limit", 10.0}}, .positive = true}}});
}

} // namespace weft::ops
