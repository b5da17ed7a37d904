// SPDX-License-Identifier: Apache-2.0
// half_squares: y[b] = sum of x^2 / 2 over the element, added in double. sum_decibels: the sum of
// 10 log10(signal[b] / noise[b]) over the elements where both are above 0, and the number of these
// elements. If `against` is above 0, it replaces every element's signal.
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void perElementShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "half_squares expects [batch, ...]")) {
        inference.output(0) = {inference.input(0).dtype, {inference.shape(0)[0]}};
    }
}

void decibelShape(ShapeInference& inference) {
    if (inference.shape(0).size() != 1) {
        inference.refuse("sum_decibels expects one number per batch element");
        return;
    }
    hasShape(inference, 1, inference.shape(0), "the noise");
    inference.output(0) = {inference.input(0).dtype, {}};
    inference.output(1) = inference.output(0);
}

} // namespace

void half_squares(OpList& list) {
    list.add({.name = "half_squares",
              .help = "Half the sum of squares of each batch element.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = perElementShape,
              .placementOf =
                  [](const Signature& s) {
                      return "~" + joined(dimLetters(s.inputs[0].shape.size())) + " -> b";
                  },
              .cost = perElement(2),
              .samples = elementwiseSamples(1),
              .stopsGradient = true});
    list.add(
        {.name = "sum_decibels",
         .help = "The sum of 10 log10(signal / noise) over the batch elements where both are above "
                 "0, and their number.",
         .inputs = {{"signal"}, {"noise"}},
         .outputs = {"sum", "count"},
         .attributes = {{.name = "against",
                         .defaultValue = 0.0,
                         .help = "Signal energy to use for every batch element instead of the "
                                 "operand signal. 0: use the operand.",
                         .least = 0}},
         .shape = decibelShape,
         .placement = "~b, ~b -> (), ()",
         .cost = perElement(8),
         .samples = {{.inputs = {{5}, {5}}, .positive = true},
                     {.inputs = {{1}, {1}}, .positive = true},
                     {.inputs = {{3}, {3}}, .attributes = {{"against", 4.0}}, .positive = true}}});
}

} // namespace weft::ops
