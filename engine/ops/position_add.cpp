// SPDX-License-Identifier: Apache-2.0
// position_add: y[b, t, o] = x[b, t, o] + table[t, o]
// position_gradient: dtable[t, o] = sum over b of dy
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

bool isSequence(Inference& at, std::size_t input) {
    if (at.shape(input).size() == 3) {
        return true;
    }
    at.refuse(fmt::format("input is {}; a position table goes with [batch, time, features]",
                          toString(at.shape(input))),
              input);
    return false;
}

Shape tableShape(Inference& at) { return {at.shape(0)[1], at.shape(0)[2]}; }

} // namespace

void position_add(OpList& list) {
    list.add({.name = "position_add",
              .inputs = {{"x"}, {"table"}},
              .outputs = {"y"},
              .shape =
                  [](Inference& at) {
                      likeFirst(at);
                      if (isSequence(at, 0)) {
                          hasShape(at, 1, tableShape(at), "table");
                      }
                  },
              .gradient =
                  [](Gradient& at) {
                      at.set(0, at.dy());
                      if (at.wants(1)) {
                          at.set(1, at.add("position_gradient", {at.dy()}));
                      }
                  },
              .placement = "b t o + t o -> b t o",
              .cost = perElement(1),
              .inPlace = {{0, 0}},
              .samples = {{.inputs = {{3, 5, 7}, {5, 7}}},
                          {.inputs = {{1, 1, 1}, {1, 1}}},
                          {.inputs = {{2, 1, 17}, {1, 17}}}},
              .onnx = "Add"});
    list.add(
        {.name = "position_gradient",
         .inputs = {{"dy"}},
         .outputs = {"dtable"},
         .shape =
             [](Inference& at) {
                 if (isSequence(at, 0)) {
                     at.output(0).shape = tableShape(at);
                 }
             },
         .placement = "b t o -> t o",
         .cost = perElement(1),
         .samples = {{.inputs = {{3, 5, 7}}}, {.inputs = {{1, 1, 1}}}, {.inputs = {{2, 1, 17}}}}});
}

} // namespace weft::ops
