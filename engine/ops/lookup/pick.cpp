// SPDX-License-Identifier: Apache-2.0
// pick: y = x[target] along the last dim, 0 where the target is `ignore`. If the last dim is split,
// every device gives what lies in its part and 0 elsewhere, so that the sum is right. A target
// outside the whole dim gives NaN, as in softmax_cross_entropy.
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void pickShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "pick expects [batch, ..., classes]")) {
        inference.output(0).shape = withoutLast(inference.shape(0));
        hasShape(inference, 1, withoutLast(inference.shape(0)), "target");
    }
}

} // namespace

void pick(OpList& list) {
    list.add({.name = "pick",
              .help = "The element of each row at its target's index; 0 if that is ignored.",
              .inputs = {{"x"}, {"target", OperandType::integer}},
              .outputs = {"y"},
              .attributes = {{.name = "ignore",
                              .defaultValue = std::int64_t{-100},
                              .help = "Target value for which the result is 0."}},
              .shape = pickShape,
              .placement = "... k, ~... -> ...",
              .cost = perElement(0),
              .samples = {{.inputs = {{4, 10}, {4}}, .integersBelow = 10},
                          {.inputs = {{1, 1}, {1}}, .integersBelow = 1},
                          {.inputs = {{3, 5, 7}, {3, 5}},
                           .attributes = {{"ignore", std::int64_t{2}}},
                           .integersBelow = 7,
                           .dtypes = {DType::i32}}}});
}

} // namespace weft::ops
