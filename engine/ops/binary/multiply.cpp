// SPDX-License-Identifier: Apache-2.0
// multiply: y = a b, element by element
#include "ops/elementwise.h"

namespace weft::ops {

void multiply(OpList& list) {
    list.add({.name = "multiply",
              .help = "y = a b, element by element.",
              .inputs = {{"a"}, {"b"}},
              .outputs = {"y"},
              .shape = allEqual,
              .gradient =
                  [](Gradient& gradient) {
                      for (const std::size_t k : {0U, 1U}) {
                          if (gradient.needsGradient(k)) {
                              gradient.set(k, gradient.add("multiply",
                                                           {gradient.dy(), gradient.input(1 - k)}));
                          }
                      }
                  },
              .placement = "..., ... -> ...",
              .cost = perElement(1),
              .inPlace = {{0, 0}, {1, 0}},
              .samples = elementwiseSamples(2),
              .onnx = "Mul"});
}

} // namespace weft::ops
