// SPDX-License-Identifier: Apache-2.0
// squared_difference: y = (a - b)^2, da = 2 dy (a - b), db = -da
#include "ops/elementwise.h"

namespace weft::example::ops {

using namespace weft::ops;

void squared_difference(OpList& list) {
    list.add({.name = "squared_difference",
              .help = "y = (a - b)^2, element by element.",
              .inputs = {{"a"}, {"b"}},
              .outputs = {"y"},
              .shape = allEqual,
              .gradient =
                  [](Gradient& gradient) {
                      const ValueId apart =
                          gradient.add("subtract", {gradient.input(0), gradient.input(1)});
                      const ValueId slope = gradient.add("multiply", {gradient.dy(), apart});
                      if (gradient.needsGradient(0)) {
                          gradient.set(0, gradient.add("scale", {slope}, {{"factor", 2.0}}));
                      }
                      if (gradient.needsGradient(1)) {
                          gradient.set(1, gradient.add("scale", {slope}, {{"factor", -2.0}}));
                      }
                  },
              .placement = "~..., ~... -> ...", // split any dim; not linear, so no Partial passes
              .cost = perElement(2),
              .inPlace = {{0, 0}, {1, 0}},
              .samples = elementwiseSamples(2)});
}

} // namespace weft::example::ops
