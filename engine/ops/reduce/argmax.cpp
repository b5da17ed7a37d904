// SPDX-License-Identifier: Apache-2.0
// argmax: the index of the first largest element of each row, i32. If classes are split:
// index_of_max gives minus the first index where x equals the maximum m (the largest over all ranks
// is the first), or minus the whole size if none does; negated_index converts it to an i32 index.
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void argmaxShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "argmax expects [batch, ..., classes]")) {
        inference.output(0) = {DType::i32, withoutLast(inference.shape(0))};
    }
}

void indexOfMaxShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "expected at least one dim")) {
        inference.output(0).shape = withoutLast(inference.shape(0));
        hasShape(inference, 1, withoutLast(inference.shape(0)), "the maximum");
    }
}

void argmaxFromReductions(Expansion& expansion) {
    const ValueId m = expansion.add("reduce_max", {expansion.input(0)});
    expansion.set(0, expansion.add("negated_index",
                                   {expansion.add("index_of_max", {expansion.input(0), m})}));
}

const std::vector<Shape> shapes = {{4, 10}, {1, 1}, {7}, {3, 5, 17}};

/// {x} -> {x, its maximum}
std::vector<ValueId> withMaximum(Builder& builder, const std::vector<ValueId>& drawn) {
    return {drawn[0], builder.add("reduce_max", {drawn[0]})};
}

/// {x} -> {minus the index of its maximum}
std::vector<ValueId> indexOfMaximum(Builder& builder, const std::vector<ValueId>& drawn) {
    return {builder.add("index_of_max", withMaximum(builder, drawn))};
}

} // namespace

void argmax(OpList& list) {
    Op whole{.name = "argmax",
             .help = "The index of the first largest element of each row.",
             .inputs = {{"x"}},
             .outputs = {"index"},
             .shape = argmaxShape,
             .placement = "~... k! -> ...",
             .expand = argmaxFromReductions,
             .cost = perElement(1),
             .onnx = "ArgMax"};
    Op part{.name = "index_of_max",
            .help =
                "Minus the index of the first element of each row that equals the given maximum.",
            .inputs = {{"x"}, {"m"}},
            .outputs = {"n"},
            .shape = indexOfMaxShape,
            .placement = "~... k, ~... -> ^...",
            .cost = perElement(1)};
    Op last{.name = "negated_index",
            .help = "Minus the given number, as an integer index.",
            .inputs = {{"n"}},
            .outputs = {"index"},
            .shape =
                [](ShapeInference& inference) {
                    inference.output(0) = {DType::i32, inference.shape(0)};
                },
            .placement = "~... -> ...",
            .cost = perElement(1)};
    for (const Shape& shape : shapes) {
        whole.samples.push_back({.inputs = {shape}});
        part.samples.push_back({.inputs = {shape}, .operands = withMaximum});
        last.samples.push_back({.inputs = {shape}, .operands = indexOfMaximum});
    }
    list.add(std::move(whole));
    list.add(std::move(part));
    list.add(std::move(last));
}

} // namespace weft::ops
