// SPDX-License-Identifier: Apache-2.0
// subtract: y = a - b
#include "ops/elementwise.h"

namespace weft::ops {

void subtract(OpList& list) {
    list.add(
        {.name = "subtract",
         .help = "y = a - b, element by element.",
         .inputs = {{"a"}, {"b"}},
         .outputs = {"y"},
         .shape = allEqual,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(0, gradient.dy());
                 if (gradient.needsGradient(1)) {
                     gradient.set(1, gradient.add("scale", {gradient.dy()}, {{"factor", -1.0}}));
                 }
             },
         .placement = "... + ... -> ...",
         .cost = perElement(1),
         .inPlace = {{0, 0}, {1, 0}},
         .samples = elementwiseSamples(2),
         .onnx = "Sub"});
}

} // namespace weft::ops
