// SPDX-License-Identifier: Apache-2.0
// position_add: y[b, t, o] = x[b, t, o] + table[t, o]
// position_gradient: dtable[t, o] = sum over b of dy
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

bool isSequence(ShapeInference& inference, std::size_t input) {
    if (inference.shape(input).size() == 3) {
        return true;
    }
    inference.refuse(fmt::format("input is {}; position_add expects [batch, time, features]",
                                 toString(inference.shape(input))),
                     input);
    return false;
}

Shape tableShape(ShapeInference& inference) {
    return {inference.shape(0)[1], inference.shape(0)[2]};
}

} // namespace

void position_add(OpList& list) {
    list.add({.name = "position_add",
              .help = "y = x + the table's row for each position in time.",
              .inputs = {{"x"}, {"table"}},
              .outputs = {"y"},
              .shape =
                  [](ShapeInference& inference) {
                      likeFirst(inference);
                      if (isSequence(inference, 0)) {
                          hasShape(inference, 1, tableShape(inference), "table");
                      }
                  },
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0, gradient.dy());
                      if (gradient.needsGradient(1)) {
                          gradient.set(1, gradient.add("position_gradient", {gradient.dy()}));
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
         .help =
             "Gradient of position_add with respect to the table: the sum of dy over the batch.",
         .inputs = {{"dy"}},
         .outputs = {"dtable"},
         .shape =
             [](ShapeInference& inference) {
                 if (isSequence(inference, 0)) {
                     inference.output(0).shape = tableShape(inference);
                 }
             },
         .placement = "b t o -> t o",
         .cost = perElement(1),
         .samples = {{.inputs = {{3, 5, 7}}}, {.inputs = {{1, 1, 1}}}, {.inputs = {{2, 1, 17}}}}});
}

} // namespace weft::ops
