// SPDX-License-Identifier: Apache-2.0
// reduce_sum and reduce_max: the sum or maximum over the last dim, without that dim
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void reduceSumShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "expected at least one dim")) {
        inference.output(0).shape = withoutLast(inference.shape(0));
    }
}

} // namespace

void reduce_sum(OpList& list) {
    list.add({.name = "reduce_sum",
              .help = "The sum over the last dim.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = reduceSumShape,
              .placement = "... d -> ...",
              .cost = perElement(1),
              .samples = elementwiseSamples(1),
              .onnx = "ReduceSum"});
    list.add(
        {.name = "reduce_max",
         .help = "The maximum over the last dim.",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .shape = reduceSumShape,
         .placement = "~... d -> ^...",
         .cost = perElement(1),
         .samples = elementwiseSamples(1),
         .undeclaredRows =
             {"x PartialMax: correct, but of no use, since a PartialMax is reduced immediately"},
         .onnx = "ReduceMax"});
}

} // namespace weft::ops
