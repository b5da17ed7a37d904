// SPDX-License-Identifier: Apache-2.0
// concat: concatenates any number of values along a dim that stays whole. Each input's gradient is
// its slice.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

void concatShape(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim < 0) {
        return;
    }
    const auto joinedDim = static_cast<std::size_t>(dim);
    Shape sum = inference.shape(0);
    for (std::size_t k = 1; k < inference.inputs(); ++k) {
        Shape other = inference.shape(k);
        if (other.size() != sum.size()) {
            inference.refuse(
                fmt::format(
                    "inputs are {} and {}; concat expects inputs with the same number of dims",
                    toString(inference.shape(0)), toString(other)),
                k);
            return;
        }
        const std::int64_t size = other[joinedDim];
        other[joinedDim] = inference.shape(0)[joinedDim];
        if (other != inference.shape(0)) {
            inference.refuse(fmt::format("inputs are {} and {}; to concatenate them along dim {}, "
                                         "all other dims must be equal",
                                         toString(inference.shape(0)), toString(inference.shape(k)),
                                         dim),
                             k);
            return;
        }
        sum[joinedDim] += size;
    }
    inference.output(0) = {inference.input(0).dtype, sum};
}

/// "b u0! y x + b u1! y x -> b w! y x"
std::string concatPlacement(const Signature& s) {
    const std::size_t rank = s.inputs[0].shape.size();
    const auto dim = static_cast<std::size_t>(dimOf(s.attributes, rank));
    std::vector<std::string> letters = dimLetters(rank);
    std::string text;
    for (std::size_t k = 0; k < s.inputs.size(); ++k) {
        letters[dim] = fmt::format("u{}!", k);
        text += (k == 0 ? "" : " + ") + joined(letters);
    }
    letters[dim] = "w!";
    return text + " -> " + joined(letters);
}

void differentiateConcat(Gradient& gradient) {
    const std::size_t count = gradient.results().size();
    const int dim = dimOf(gradient.attributes(), gradient.inputShape(0).size());
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t end = begin + gradient.inputShape(k)[static_cast<std::size_t>(dim)];
        if (gradient.needsGradient(k)) {
            gradient.set(
                k, gradient.add("slice", {gradient.dy()},
                                {{"dim", std::int64_t{dim}}, {"begin", begin}, {"end", end}}));
        }
        begin = end;
    }
}

} // namespace

void concat(OpList& list) {
    list.add({.name = "concat",
              .help = "Concatenates its inputs along one dim.",
              .inputs = {{"x", OperandType::any}},
              .outputs = {"y"},
              .variadic = true,
              .attributes = {{.name = "dim",
                              .defaultValue = std::int64_t{1},
                              .help = "Dim to concatenate along; -1 is the last."}},
              .shape = concatShape,
              .gradient = differentiateConcat,
              .placementOf = concatPlacement,
              .cost = [](const Signature&) { return Flops{}; },
              .samples = {{.inputs = {{4, 3}, {4, 7}}},
                          {.inputs = {{3, 5}}},
                          {.inputs = {{1, 1}, {1, 1}}},
                          {.inputs = {{3, 5, 4}, {3, 5, 1}, {3, 5, 2}},
                           .attributes = {{"dim", std::int64_t{-1}}}},
                          {.inputs = {{2, 3, 5, 4}, {2, 1, 5, 4}}}},
              .onnx = "Concat"});
}

} // namespace weft::ops
