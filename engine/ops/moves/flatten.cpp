// SPDX-License-Identifier: Apache-2.0
// flatten: [b, o, y, x] -> [b, o*y*x], merges all dims but the first. unflatten reverses it. The
// merged dim is split along its first dim, in steps of the size of the other dims.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

/// Returns "b" and "(o y x)" for separate dims.
std::string joinedLetters(std::size_t rank) {
    std::vector<std::string> letters = dimLetters(rank);
    letters.erase(letters.begin());
    return letters.size() == 1 ? letters.front() : fmt::format("({})", fmt::join(letters, " "));
}

std::string flattenPlacement(const Signature& s) {
    const std::size_t rank = s.inputs[0].shape.size();
    return rank == 1 ? "b -> b o"
                     : fmt::format("{} -> b {}", joined(dimLetters(rank)), joinedLetters(rank));
}

std::string unflattenPlacement(const Signature& s) {
    const std::size_t rank = s.outputs[0].shape.size();
    return rank == 1 ? "b o! -> b"
                     : fmt::format("b {} -> {}", joinedLetters(rank), joined(dimLetters(rank)));
}

void flattenShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "flatten expects [batch, ...]")) {
        const std::int64_t batch = inference.shape(0)[0];
        std::int64_t rest = 1;
        for (std::size_t dim = 1; dim < inference.shape(0).size(); ++dim) {
            rest *= inference.shape(0)[dim];
        }
        inference.output(0) = {inference.input(0).dtype, {batch, rest}};
    }
}

void unflattenShape(ShapeInference& inference) {
    const Shape rest = inference.attributes().integers("shape");
    if (inference.shape(0).size() != 2 || inference.shape(0)[1] != elementsOf(rest)) {
        inference.refuse(fmt::format("input is {}; unflatten into {} expects [batch, {}]",
                                     toString(inference.shape(0)), toString(rest),
                                     elementsOf(rest)));
        return;
    }
    Shape shape{inference.shape(0)[0]};
    shape.insert(shape.end(), rest.begin(), rest.end());
    inference.output(0) = {inference.input(0).dtype, shape};
}

void addFlatten(OpList& list) {
    list.add({.name = "flatten",
              .help = "Merges all dims but the first into one.",
              .inputs = {{"x", OperandType::any}},
              .outputs = {"y"},
              .shape = flattenShape,
              .gradient =
                  [](Gradient& gradient) {
                      const Shape& shape = gradient.inputShape(0);
                      gradient.set(
                          0, gradient.add("unflatten", {gradient.dy()},
                                          {{"shape", Shape(shape.begin() + 1, shape.end())}}));
                  },
              .placementOf = flattenPlacement,
              .cost = perElement(0),
              .inPlace = {{0, 0}},
              .samples = {{.inputs = {{4, 10}}},
                          {.inputs = {{3}}},
                          {.inputs = {{3, 5, 2}}},
                          {.inputs = {{2, 3, 5, 4}}},
                          {.inputs = {{2, 1, 5, 3}}},
                          {.inputs = {{2, 3, 2, 1, 2}}}},
              .onnx = "Flatten"});
}

} // namespace

void flatten(OpList& list) {
    addFlatten(list);
    list.add(
        {.name = "unflatten",
         .help = "Splits the last dim of a flattened value into the dims that it had.",
         .inputs = {{"x", OperandType::any}},
         .outputs = {"y"},
         .attributes = {{.name = "shape",
                         .defaultValue = std::vector<std::int64_t>{},
                         .help = "Shape that dim 1 is unflattened to."}},
         .shape = unflattenShape,
         .gradient =
             [](Gradient& gradient) { gradient.set(0, gradient.add("flatten", {gradient.dy()})); },
         .placementOf = unflattenPlacement,
         .cost = perElement(0),
         .inPlace = {{0, 0}},
         .samples = {{.inputs = {{4, 10}}, .attributes = {{"shape", Shape{10}}}},
                     {.inputs = {{3, 1}}, .attributes = {{"shape", Shape{}}}},
                     {.inputs = {{3, 10}}, .attributes = {{"shape", Shape{5, 2}}}},
                     {.inputs = {{2, 60}}, .attributes = {{"shape", Shape{3, 5, 4}}}},
                     {.inputs = {{2, 15}}, .attributes = {{"shape", Shape{1, 5, 3}}}}},
         .onnx = "Reshape"});
}

} // namespace weft::ops
