// SPDX-License-Identifier: Apache-2.0
// accuracy: the fraction of rows whose target is the index of the first largest logit. Rows whose
// target is `ignore` are not hits, but they count: layers that ignore divide by the counted rows
// instead. hit: 1 where n is minus the target, for accuracy's expansion.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

void accuracyShape(ShapeInference& inference) {
    if (!hasDims(inference, 0, "accuracy expects [batch, ..., classes]")) {
        return;
    }
    const Shape rows = withoutLast(inference.shape(0));
    if (inference.shape(1) != rows) {
        inference.refuse(fmt::format("logits are {} and targets {}; expected targets {}, one class "
                                     "index for each row of logits",
                                     toString(inference.shape(0)), toString(inference.shape(1)),
                                     toString(rows)),
                         1);
    }
}

void accuracyFromReductions(Expansion& expansion) {
    const ValueId m = expansion.add("reduce_max", {expansion.input(0)});
    const ValueId n = expansion.add("index_of_max", {expansion.input(0), m});
    expansion.set(0, expansion.add("mean", {expansion.add("hit", {n, expansion.input(1)},
                                                          expansion.attributes())}));
}

/// {x, target} -> {minus the index of its maximum, target}
std::vector<ValueId> indexAndTarget(Builder& builder, const std::vector<ValueId>& drawn) {
    const ValueId m = builder.add("reduce_max", {drawn[0]});
    return {builder.add("index_of_max", {drawn[0], m}), drawn[1]};
}

const std::vector<AttributeSpec> accuracyIgnoreAttribute = {
    {.name = "ignore",
     .defaultValue = std::int64_t{-100},
     .help = "Target value that never counts as correct."}};

} // namespace

void accuracy(OpList& list) {
    list.add(
        {.name = "accuracy",
         .help = "The fraction of rows whose target is the index of the largest logit.",
         .inputs = {{"logits"}, {"target", OperandType::integer}},
         .outputs = {"share"},
         .attributes = accuracyIgnoreAttribute,
         .shape = accuracyShape,
         .placement = "~... k!, ~... -> ()",
         .expand = accuracyFromReductions,
         .cost = perElement(1),
         .samples = {{.inputs = {{4, 10}, {4}}},
                     {.inputs = {{1, 1}, {1}}, .integersBelow = 1},
                     {.inputs = {{7, 3}, {7}},
                      .attributes = {{"ignore", std::int64_t{1}}},
                      .integersBelow = 3},
                     {.inputs = {{3, 5, 2}, {3, 5}}, .integersBelow = 2, .dtypes = {DType::i32}}}});
    list.add({.name = "hit",
              .help = "1 where n is minus the target, otherwise 0.",
              .inputs = {{"n"}, {"target", OperandType::integer}},
              .outputs = {"y"},
              .attributes = accuracyIgnoreAttribute,
              .shape = allEqual,
              .placement = "~..., ~... -> ...",
              .cost = perElement(1),
              .samples = {{.inputs = {{9, 2}, {9}},
                           .integersBelow = 2,
                           .dtypes = {DType::f32, DType::i64},
                           .operands = indexAndTarget},
                          {.inputs = {{3, 5, 3}, {3, 5}},
                           .integersBelow = 3,
                           .dtypes = {DType::f32, DType::i64},
                           .operands = indexAndTarget}}});
}

} // namespace weft::ops
