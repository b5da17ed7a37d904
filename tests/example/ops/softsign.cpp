// SPDX-License-Identifier: Apache-2.0
// softsign: y = x / (1 + |x|); its gradient: dx = dy / (1 + |x|)^2
#include "ops/elementwise.h"

namespace weft::example::ops {

using namespace weft::ops;

void softsign(OpList& list) {
    list.add({.name = "softsign",
              .help = "y = x / (1 + |x|), element by element.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = likeFirst,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(
                          0, gradient.add("softsign_gradient", {gradient.input(0), gradient.dy()}));
                  },
              .placement = "~... -> ...", // split any dim; not linear, so no Partial passes
              .cost = perElement(3),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(1),
              .onnx = "Softsign"});
    list.add(activationGradient("softsign_gradient", "x", 4));
}

} // namespace weft::example::ops
