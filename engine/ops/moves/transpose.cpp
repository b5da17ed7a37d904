// SPDX-License-Identifier: Apache-2.0
// transpose: dim k of the result is dim order[k] of x.
#include "ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::ops {

namespace {

void transposeShape(ShapeInference& inference) {
    const Shape& x = inference.shape(0);
    const std::vector<std::int64_t> order = inference.attributes().integers("order");
    std::vector<std::int64_t> sorted = order;
    std::ranges::sort(sorted);
    bool isPermutation = sorted.size() == x.size();
    for (std::size_t dim = 0; isPermutation && dim < sorted.size(); ++dim) {
        isPermutation = sorted[dim] == static_cast<std::int64_t>(dim);
    }
    if (!isPermutation) {
        inference.refuse(fmt::format("input is {}; order {} does not name each of its dims once",
                                     toString(x), toString(order)));
        return;
    }
    Shape shape;
    for (const std::int64_t dim : order) {
        shape.push_back(x[static_cast<std::size_t>(dim)]);
    }
    inference.output(0) = {inference.input(0).dtype, shape};
}

/// "b o y x -> b y x o"
std::string transposePlacement(const Signature& s) {
    const std::vector<std::string> letters = dimLetters(s.inputs[0].shape.size());
    std::vector<std::string> ordered;
    for (const std::int64_t dim : s.attributes.integers("order")) {
        ordered.push_back(letters[static_cast<std::size_t>(dim)]);
    }
    return joined(letters) + " -> " + joined(ordered);
}

void transposeGradient(Gradient& gradient) {
    const std::vector<std::int64_t> order = gradient.attributes().integers("order");
    std::vector<std::int64_t> back(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        back[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    }
    gradient.set(0, gradient.add("transpose", {gradient.dy()}, {{"order", back}}));
}

Sample sampleOf(Shape x, std::vector<std::int64_t> order) {
    return {.inputs = {std::move(x)}, .attributes = {{"order", std::move(order)}}};
}

} // namespace

void transpose(OpList& list) {
    list.add(
        {.name = "transpose",
         .help = "The dims of x in another order.",
         .inputs = {{"x", OperandType::any}},
         .outputs = {"y"},
         .attributes = {{.name = "order",
                         .defaultValue = std::vector<std::int64_t>{0},
                         .help = "The dim of x that becomes each dim of the result."}},
         .shape = transposeShape,
         .gradient = transposeGradient,
         .placementOf = transposePlacement,
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {sampleOf({3}, {0}), sampleOf({3, 17, 5}, {0, 2, 1}), sampleOf({5, 7}, {1, 0}),
                     sampleOf({2, 3, 5, 7}, {0, 2, 3, 1}), sampleOf({2, 33, 9, 11}, {0, 3, 1, 2}),
                     sampleOf({2, 3, 2, 4, 3, 5}, {0, 3, 4, 1, 5, 2})},
         .onnx = "Transpose"});
}

} // namespace weft::ops
