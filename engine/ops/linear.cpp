// SPDX-License-Identifier: Apache-2.0
// y[..., o] = sum_i x[..., i] w[o, i], and its gradients: dx = dy w, dw = dy^T x.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

/// 2 or 3 dims: examples, or examples over time.
bool isBatchOfFeatures(Inference& at, std::size_t input, std::string_view name) {
    const std::size_t rank = at.shape(input).size();
    if (rank == 2 || rank == 3) {
        return true;
    }
    at.refuse(
        fmt::format("{} is {}; dense takes [batch, features]", name, toString(at.shape(input))),
        input, rank > 3 ? "flatten" : "");
    return false;
}

bool isMatrix(Inference& at, std::size_t input) {
    if (at.shape(input).size() == 2) {
        return true;
    }
    at.refuse(
        fmt::format("weights are {}; dense takes [outputs, inputs]", toString(at.shape(input))),
        input);
    return false;
}

/// `sizes` with the last dim replaced.
Shape withLast(Shape sizes, std::int64_t last) {
    sizes.back() = last;
    return sizes;
}

void inferLinear(Inference& at) {
    if (!isBatchOfFeatures(at, 0, "input") || !isMatrix(at, 1)) {
        return;
    }
    if (at.shape(0).back() != at.shape(1)[1]) {
        at.refuse(fmt::format("input is {}; the weights {} take {} features", toString(at.shape(0)),
                              toString(at.shape(1)), at.shape(1)[1]));
        return;
    }
    at.output(0).shape = withLast(at.shape(0), at.shape(1)[0]);
}

void inferLinearInputGradient(Inference& at) {
    if (!isBatchOfFeatures(at, 0, "gradient") || !isMatrix(at, 1)) {
        return;
    }
    if (at.shape(0).back() != at.shape(1)[0]) {
        at.refuse(fmt::format("gradient is {}; the weights {} give {} features",
                              toString(at.shape(0)), toString(at.shape(1)), at.shape(1)[0]));
        return;
    }
    at.output(0).shape = withLast(at.shape(0), at.shape(1)[1]);
}

void inferLinearWeightGradient(Inference& at) {
    if (!isBatchOfFeatures(at, 0, "gradient") ||
        !hasShape(at, 1, withLast(at.shape(0), at.shape(1).empty() ? 0 : at.shape(1).back()),
                  "input")) {
        return;
    }
    at.output(0).shape = {at.shape(0).back(), at.shape(1).back()};
}

} // namespace

void linear(OpList& list) {
    list.add({.name = "linear",
              .inputs = {{"x"}, {"w"}},
              .outputs = {"y"},
              .shape = inferLinear,
              .gradient =
                  [](Gradient& at) {
                      if (at.wants(0)) {
                          at.set(0, at.add("linear_dx", {at.dy(), at.input(1)}));
                      }
                      if (at.wants(1)) {
                          at.set(1, at.add("linear_dw", {at.dy(), at.input(0)}));
                      }
                  },
              .placement = "... i, o i -> ... o",
              .cost =
                  [](const Signature& at) {
                      return Flops{2 * at.inputs[0].elements() * at.inputs[1].shape[0]};
                  },
              .samples = {{.inputs = {{5, 7}, {3, 7}}},
                          {.inputs = {{1, 1}, {1, 1}}},
                          {.inputs = {{17, 33}, {19, 33}}},
                          {.inputs = {{3, 5, 6}, {4, 6}}}},
              .onnx = "MatMul"});
    list.add({.name = "linear_dx",
              .inputs = {{"dy"}, {"w"}},
              .outputs = {"dx"},
              .shape = inferLinearInputGradient,
              .placement = "... o, o i -> ... i",
              .cost =
                  [](const Signature& at) {
                      return Flops{2 * at.inputs[0].elements() * at.inputs[1].shape[1]};
                  },
              .samples = {{.inputs = {{5, 3}, {3, 7}}},
                          {.inputs = {{1, 1}, {1, 1}}},
                          {.inputs = {{17, 19}, {19, 33}}},
                          {.inputs = {{3, 5, 4}, {4, 6}}}}});
    list.add({.name = "linear_dw",
              .inputs = {{"dy"}, {"x"}},
              .outputs = {"dw"},
              .shape = inferLinearWeightGradient,
              .placement = "... o, ... i -> o i",
              .cost =
                  [](const Signature& at) {
                      return Flops{2 * at.inputs[0].elements() * at.inputs[1].shape.back()};
                  },
              .samples = {{.inputs = {{5, 3}, {5, 7}}},
                          {.inputs = {{1, 1}, {1, 1}}},
                          {.inputs = {{17, 19}, {17, 33}}},
                          {.inputs = {{3, 5, 4}, {3, 5, 6}}}}});
}

} // namespace weft::ops
