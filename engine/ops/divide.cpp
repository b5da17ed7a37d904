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
    list.add({.name = "divide",
              .inputs = {{"a"}, {"b"}},
              .outputs = {"y"},
              .shape = allEqual,
              .gradient =
                  [](Gradient& at) {
                      if (at.wants(0)) {
                          at.set(0, at.add("divide", {at.dy(), at.input(1)}));
                      }
                      if (at.wants(1)) {
                          const ValueId moved = at.add("multiply", {at.dy(), at.output()});
                          at.set(1, at.add("scale", {at.add("divide", {moved, at.input(1)})},
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
