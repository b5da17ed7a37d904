// SPDX-License-Identifier: Apache-2.0
// embedding: y[..., e] = table[id, e]. If the vocabulary v is split, every device gives the rows
// that it holds and zeros for others; an id that is not a row of the whole table gives NaN.
// embedding_gradient: dtable[v, e] = sum of dy where the id is v.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

void embeddingForwardShape(ShapeInference& inference) {
    if (inference.shape(1).size() != 2) {
        inference.refuse(fmt::format("table is {}; embedding expects [rows, features]",
                                     toString(inference.shape(1))),
                         1);
        return;
    }
    Shape shape = inference.shape(0);
    shape.push_back(inference.shape(1)[1]);
    inference.output(0).shape = shape;
}

void embeddingBackwardShape(ShapeInference& inference) {
    if (inference.shape(1).empty() || withoutLast(inference.shape(1)) != inference.shape(0)) {
        inference.refuse(fmt::format("ids are {} and the gradient is {}; expected the shape of the "
                                     "ids with one dim more",
                                     toString(inference.shape(0)), toString(inference.shape(1))),
                         1);
        return;
    }
    inference.output(0).shape = {inference.attributes().integer("rows"), inference.shape(1).back()};
}

} // namespace

void embedding(OpList& list) {
    list.add(
        {.name = "embedding",
         .help = "Looks up rows: y is the row of the table for each id.",
         .inputs = {{"ids", OperandType::integer}, {"table"}},
         .outputs = {"y"},
         .shape = embeddingForwardShape,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(1,
                              gradient.add("embedding_gradient", {gradient.input(0), gradient.dy()},
                                           {{"rows", gradient.inputShape(1)[0]}}));
             },
         .placement = "~..., v e -> ... e",
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {{.inputs = {{6}, {7, 5}}, .integersBelow = 7},
                     {.inputs = {{1}, {1, 1}}, .integersBelow = 1},
                     {.inputs = {{3, 5}, {11, 6}}, .integersBelow = 11, .dtypes = {DType::i32}}},
         .onnx = "Gather"});
    list.add({.name = "embedding_gradient",
              .help = "Gradient of embedding: each row gets the sum of dy where its id occurs.",
              .inputs = {{"ids", OperandType::integer}, {"dy"}},
              .outputs = {"dtable"},
              .attributes = {{.name = "rows",
                              .defaultValue = std::int64_t{1},
                              .help = "Number of rows of the whole table.",
                              .least = 1}},
              .shape = embeddingBackwardShape,
              .placement = "~..., ... e -> v e",
              .cost = [](const Signature& s) { return Flops{s.inputs[1].elements()}; },
              .samples = {{.inputs = {{6}, {6, 5}},
                           .attributes = {{"rows", std::int64_t{7}}},
                           .integersBelow = 7},
                          {.inputs = {{1}, {1, 1}}, .integersBelow = 1},
                          {.inputs = {{3, 5}, {3, 5, 6}},
                           .attributes = {{"rows", std::int64_t{4}}},
                           .dtypes = {DType::i32}}}});
}

} // namespace weft::ops
