// SPDX-License-Identifier: Apache-2.0
// Softmax and cross entropy over the classes k of the last dim, targets by index:
// lse = log sum_k exp(x_k), loss = lse - x_target. A row whose target is `ignore` gives 0; one
// whose target is no class gives NaN, so that wrong labels stop a run instead of bending it.
// Gradient: dx = (exp(x - lse) - [k = target]) dloss; lse is saved, so k is an ordinary letter
// there.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

const std::vector<AttributeSpec> softmaxCrossEntropyIgnoreAttribute = {
    {.name = "ignore", .defaultValue = std::int64_t{-100}, .help = "Target value to ignore."}};

void softmaxCrossEntropyForwardShape(Inference& at) {
    if (!hasDims(at, 0, "softmax cross entropy takes [batch, ..., classes]")) {
        return;
    }
    const Shape rows = withoutLast(at.shape(0));
    at.output(0).shape = at.output(1).shape = rows;
    if (at.shape(1) != rows) {
        at.refuse(fmt::format("logits are {} and targets {}; for these logits targets are {}, a "
                              "class number per row",
                              toString(at.shape(0)), toString(at.shape(1)), toString(rows)),
                  1);
    }
}

void softmaxCrossEntropyBackwardShape(Inference& at) {
    if (!hasDims(at, 0, "softmax cross entropy takes [batch, ..., classes]")) {
        return;
    }
    const Shape rows = withoutLast(at.shape(0));
    at.output(0) = at.input(0);
    hasShape(at, 1, rows, "target");
    hasShape(at, 2, rows, "lse");
    hasShape(at, 3, rows, "dloss");
}

/// m = max x; s = sum exp(x - m); lse = m + log s; loss = lse - x[target], 0 where ignored.
void softmaxCrossEntropyFromReductions(Expansion& at) {
    const ValueId x = at.input(0);
    const ValueId target = at.input(1);
    const ValueId m = at.add("reduce_max", {x});
    const ValueId s = at.add("reduce_sum", {at.add("exp_minus", {x, m})});
    const ValueId picked = at.add("pick", {x, target}, at.attributes());
    const ValueId lse = at.add("add", {m, at.add("log", {s})});
    const ValueId loss = at.add("subtract", {lse, picked});
    at.set(0, at.add("zero_ignored", {loss, target}, at.attributes()));
    at.set(1, lse);
}

} // namespace

void softmax_cross_entropy(OpList& list) {
    list.add({.name = "softmax_cross_entropy",
              .inputs = {{"logits"}, {"target", Operand::integer}},
              .outputs = {"loss", "lse"},
              .attributes = softmaxCrossEntropyIgnoreAttribute,
              .shape = softmaxCrossEntropyForwardShape,
              .gradient =
                  [](Gradient& at) {
                      at.set(0, at.add("softmax_cross_entropy_gradient",
                                       {at.input(0), at.input(1), at.output(1), at.dy()},
                                       at.attributes()));
                  },
              .placement = "~... k!, ~... -> ...; ~... k!, _ -> ...",
              .expand = softmaxCrossEntropyFromReductions,
              .cost = perElement(5),
              .samples = {{.inputs = {{4, 10}, {4}}},
                          {.inputs = {{1, 1}, {1}}, .integersBelow = 1},
                          {.inputs = {{3, 5, 7}, {3, 5}}, .dtypes = {DType::i32}},
                          {.inputs = {{5, 17}, {5}},
                           .attributes = {{"ignore", std::int64_t{2}}},
                           .integersBelow = 17}},
              .onnx = "SoftmaxCrossEntropyLoss"});
    list.add({.name = "softmax_cross_entropy_gradient",
              .inputs = {{"logits"}, {"target", Operand::integer}, {"lse"}, {"dloss"}},
              .outputs = {"dlogits"},
              .attributes = softmaxCrossEntropyIgnoreAttribute,
              .shape = softmaxCrossEntropyBackwardShape,
              .placement = "~... k, ~..., ~..., ... -> ... k",
              .cost = perElement(4),
              .inPlace = {{0, 0}},
              .samples = {{.inputs = {{4, 10}, {4}, {4}, {4}}},
                          {.inputs = {{1, 1}, {1}, {1}, {1}}, .integersBelow = 1},
                          {.inputs = {{3, 5, 7}, {3, 5}, {3, 5}, {3, 5}}, .dtypes = {DType::i32}},
                          {.inputs = {{5, 17}, {5}, {5}, {5}},
                           .attributes = {{"ignore", std::int64_t{2}}},
                           .integersBelow = 17}}});
}

} // namespace weft::ops
