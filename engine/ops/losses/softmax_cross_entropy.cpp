// SPDX-License-Identifier: Apache-2.0
// Softmax and cross entropy over the classes k of the last dim, targets by index: lse = log sum_k
// exp(x_k), loss = lse - x_target. A row whose target is `ignore` gives 0; a target that is not
// a class gives NaN, so that wrong labels stop a run. Gradient: dx = (exp(x - lse) - [k = target])
// dloss. Because lse is saved, k can be split there.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

const std::vector<AttributeSpec> softmaxCrossEntropyIgnoreAttribute = {
    {.name = "ignore", .defaultValue = std::int64_t{-100}, .help = "Target value to ignore."}};

void softmaxCrossEntropyForwardShape(ShapeInference& inference) {
    if (!hasDims(inference, 0, "softmax cross entropy expects [batch, ..., classes]")) {
        return;
    }
    const Shape rows = withoutLast(inference.shape(0));
    inference.output(0).shape = inference.output(1).shape = rows;
    if (inference.shape(1) != rows) {
        inference.refuse(fmt::format("logits are {} and targets {}; expected targets {}, one class "
                                     "index for each row of logits",
                                     toString(inference.shape(0)), toString(inference.shape(1)),
                                     toString(rows)),
                         1);
    }
}

void softmaxCrossEntropyBackwardShape(ShapeInference& inference) {
    if (!hasDims(inference, 0, "softmax cross entropy expects [batch, ..., classes]")) {
        return;
    }
    const Shape rows = withoutLast(inference.shape(0));
    inference.output(0) = inference.input(0);
    hasShape(inference, 1, rows, "target");
    hasShape(inference, 2, rows, "lse");
    hasShape(inference, 3, rows, "dloss");
}

/// m = max x; s = sum exp(x - m); lse = m + log s; loss = lse - x[target], 0 if ignored.
void softmaxCrossEntropyFromReductions(Expansion& expansion) {
    const ValueId x = expansion.input(0);
    const ValueId target = expansion.input(1);
    const ValueId m = expansion.add("reduce_max", {x});
    const ValueId s = expansion.add("reduce_sum", {expansion.add("exp_minus", {x, m})});
    const ValueId picked = expansion.add("pick", {x, target}, expansion.attributes());
    const ValueId lse = expansion.add("add", {m, expansion.add("log", {s})});
    const ValueId loss = expansion.add("subtract", {lse, picked});
    expansion.set(0, expansion.add("zero_ignored", {loss, target}, expansion.attributes()));
    expansion.set(1, lse);
}

} // namespace

void softmax_cross_entropy(OpList& list) {
    list.add({.name = "softmax_cross_entropy",
              .help = "Each row's log of the sum of exponentials minus its target's logit.",
              .inputs = {{"logits"}, {"target", OperandType::integer}},
              .outputs = {"loss", "lse"},
              .attributes = softmaxCrossEntropyIgnoreAttribute,
              .shape = softmaxCrossEntropyForwardShape,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0, gradient.add("softmax_cross_entropy_gradient",
                                                   {gradient.input(0), gradient.input(1),
                                                    gradient.output(1), gradient.dy()},
                                                   gradient.attributes()));
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
              .help = "Gradient of softmax_cross_entropy: (softmax(x) - 1 at the target) dloss.",
              .inputs = {{"logits"}, {"target", OperandType::integer}, {"lse"}, {"dloss"}},
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
