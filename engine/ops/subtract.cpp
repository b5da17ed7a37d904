// SPDX-License-Identifier: Apache-2.0
// subtract: y = a - b
#include "ops/elementwise.h"

namespace weft::ops {

void subtract(OpList& list) {
    list.add({.name = "subtract",
              .inputs = {{"a"}, {"b"}},
              .outputs = {"y"},
              .shape = allEqual,
              .gradient =
                  [](Gradient& at) {
                      at.set(0, at.dy());
                      if (at.wants(1)) {
                          at.set(1, at.add("scale", {at.dy()}, {{"factor", -1.0}}));
                      }
                  },
              .placement = "... + ... -> ...",
              .cost = perElement(1),
              .inPlace = {{0, 0}, {1, 0}},
              .samples = elementwiseSamples(2),
              .onnx = "Sub"});
}

} // namespace weft::ops
