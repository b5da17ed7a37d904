// SPDX-License-Identifier: Apache-2.0
// y[..., o] = sum_i x[..., i] w[o, i], and its gradients: dx = dy w, dw = dy^T x.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

/// True for 2 or 3 dims: examples, or examples over time.
bool isBatchOfFeatures(ShapeInference& inference, std::size_t input, std::string_view name) {
    const std::size_t rank = inference.shape(input).size();
    if (rank == 2 || rank == 3) {
        return true;
    }
    inference.refuse(fmt::format("{} is {}; dense expects [batch, features]", name,
                                 toString(inference.shape(input))),
                     input, rank > 3 ? "flatten" : "");
    return false;
}

bool isMatrix(ShapeInference& inference, std::size_t input) {
    if (inference.shape(input).size() == 2) {
        return true;
    }
    inference.refuse(fmt::format("weights are {}; dense expects [outputs, inputs]",
                                 toString(inference.shape(input))),
                     input);
    return false;
}

/// Returns `sizes` with the last dim replaced.
Shape withLast(Shape sizes, std::int64_t last) {
    sizes.back() = last;
    return sizes;
}

void inferLinear(ShapeInference& inference) {
    if (!isBatchOfFeatures(inference, 0, "input") || !isMatrix(inference, 1)) {
        return;
    }
    if (inference.shape(0).back() != inference.shape(1)[1]) {
        inference.refuse(fmt::format("input is {}; weights {} expect {} features",
                                     toString(inference.shape(0)), toString(inference.shape(1)),
                                     inference.shape(1)[1]));
        return;
    }
    inference.output(0).shape = withLast(inference.shape(0), inference.shape(1)[0]);
}

void inferLinearInputGradient(ShapeInference& inference) {
    if (!isBatchOfFeatures(inference, 0, "gradient") || !isMatrix(inference, 1)) {
        return;
    }
    if (inference.shape(0).back() != inference.shape(1)[0]) {
        inference.refuse(fmt::format("gradient is {}; weights {} produce {} features",
                                     toString(inference.shape(0)), toString(inference.shape(1)),
                                     inference.shape(1)[0]));
        return;
    }
    inference.output(0).shape = withLast(inference.shape(0), inference.shape(1)[1]);
}

void inferLinearWeightGradient(ShapeInference& inference) {
    if (!isBatchOfFeatures(inference, 0, "gradient") ||
        !hasShape(inference, 1,
                  withLast(inference.shape(0),
                           inference.shape(1).empty() ? 0 : inference.shape(1).back()),
                  "input")) {
        return;
    }
    inference.output(0).shape = {inference.shape(0).back(), inference.shape(1).back()};
}

} // namespace

void linear(OpList& list) {
    list.add(
        {.name = "linear",
         .help = "y = x w^T: each output is the sum of the inputs times its weights.",
         .inputs = {{"x"}, {"w"}},
         .outputs = {"y"},
         .shape = inferLinear,
         .gradient =
             [](Gradient& gradient) {
                 if (gradient.needsGradient(0)) {
                     gradient.set(0, gradient.add("linear_dx", {gradient.dy(), gradient.input(1)}));
                 }
                 if (gradient.needsGradient(1)) {
                     gradient.set(1, gradient.add("linear_dw", {gradient.dy(), gradient.input(0)}));
                 }
             },
         .placement = "... i, o i -> ... o",
         .cost =
             [](const Signature& signature) {
                 return Flops{2 * signature.inputs[0].elements() * signature.inputs[1].shape[0]};
             },
         .samples = {{.inputs = {{5, 7}, {3, 7}}},
                     {.inputs = {{1, 1}, {1, 1}}},
                     {.inputs = {{17, 33}, {19, 33}}},
                     {.inputs = {{3, 5, 6}, {4, 6}}}},
         .onnx = "MatMul"});
    list.add({.name = "linear_dx",
              .help = "Gradient of linear with respect to its input: dx = dy w.",
              .inputs = {{"dy"}, {"w"}},
              .outputs = {"dx"},
              .shape = inferLinearInputGradient,
              .placement = "... o, o i -> ... i",
              .cost =
                  [](const Signature& signature) {
                      return Flops{2 * signature.inputs[0].elements() *
                                   signature.inputs[1].shape[1]};
                  },
              .samples = {{.inputs = {{5, 3}, {3, 7}}},
                          {.inputs = {{1, 1}, {1, 1}}},
                          {.inputs = {{17, 19}, {19, 33}}},
                          {.inputs = {{3, 5, 4}, {4, 6}}}}});
    list.add({.name = "linear_dw",
              .help = "Gradient of linear with respect to its weights: dw = dy^T x.",
              .inputs = {{"dy"}, {"x"}},
              .outputs = {"dw"},
              .shape = inferLinearWeightGradient,
              .placement = "... o, ... i -> o i",
              .cost =
                  [](const Signature& signature) {
                      return Flops{2 * signature.inputs[0].elements() *
                                   signature.inputs[1].shape.back()};
                  },
              .samples = {{.inputs = {{5, 3}, {5, 7}}},
                          {.inputs = {{1, 1}, {1, 1}}},
                          {.inputs = {{17, 19}, {17, 33}}},
                          {.inputs = {{3, 5, 4}, {3, 5, 6}}}}});
}

} // namespace weft::ops
