// SPDX-License-Identifier: Apache-2.0
// divide: y = a / b, element by element; da = dy / b, db = -dy y / b
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

std::vector<Sample> samples() {
    std::vector<Sample> list = elementwiseSamples(2, true);
    list.push_back({.inputs = {{}, {}}, .positive = true});
    return list;
}

} // namespace

void divide(OpList& list) {
    list.add(
        {.name = "divide",
         .help = "y = a / b, element by element.",
         .inputs = {{"a"}, {"b"}},
         .outputs = {"y"},
         .shape = allEqual,
         .gradient =
             [](Gradient& gradient) {
                 if (gradient.needsGradient(0)) {
                     gradient.set(0, gradient.add("divide", {gradient.dy(), gradient.input(1)}));
                 }
                 if (gradient.needsGradient(1)) {
                     const ValueId moved =
                         gradient.add("multiply", {gradient.dy(), gradient.output()});
                     gradient.set(1,
                                  gradient.add("scale",
                                               {gradient.add("divide", {moved, gradient.input(1)})},
                                               {{"factor", -1.0}}));
                 }
             },
         .placement = "..., ~... -> ...",
         .cost = perElement(1),
         .inPlace = {{0, 0}, {1, 0}},
         .samples = samples(),
         .onnx = "Div"});
}

} // namespace weft::ops
