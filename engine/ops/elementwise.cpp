// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise.h"

#include <fmt/format.h>

#include <utility>

namespace weft::ops {

void likeFirst(ShapeInference& inference) {
    for (std::size_t k = 0; k < inference.outputs(); ++k) {
        inference.output(k) = inference.input(0);
    }
}

void allEqual(ShapeInference& inference) {
    likeFirst(inference);
    for (std::size_t k = 1; k < inference.inputs(); ++k) {
        if (!haveOneShape(inference, 0, k)) {
            return;
        }
    }
}

bool hasDims(ShapeInference& inference, std::size_t input, std::string_view takes) {
    if (inference.shape(input).empty()) {
        inference.refuse(fmt::format("input is a single number; {}", takes), input);
        return false;
    }
    return true;
}

Shape withoutLast(const Shape& shape) { return {shape.begin(), shape.end() - 1}; }

std::function<Flops(const Signature&)> perElement(std::int64_t flops) {
    return [flops](const Signature& s) { return Flops{flops * s.inputs[0].elements()}; };
}

std::vector<std::string> dimLetters(std::size_t rank) {
    switch (rank) {
    case 0: return {};
    case 1: return {"b"};
    case 2: return {"b", "o"};
    case 3: return {"b", "t", "o"};
    case 4: return {"b", "o", "y", "x"};
    default: break;
    }
    std::vector<std::string> letters{"b"};
    for (std::size_t dim = 1; dim < rank; ++dim) {
        letters.push_back(fmt::format("e{}", dim));
    }
    return letters;
}

std::string joined(const std::vector<std::string>& letters) {
    return letters.empty() ? "()" : fmt::format("{}", fmt::join(letters, " "));
}

std::vector<Sample> elementwiseSamples(std::size_t operands, bool positive) {
    std::vector<Sample> samples;
    for (const Shape& shape :
         {Shape{4, 10}, Shape{1, 1}, Shape{7}, Shape{3, 17, 5}, Shape{2, 3, 5, 7}}) {
        samples.push_back({.inputs = std::vector<Shape>(operands, shape), .positive = positive});
    }
    return samples;
}

ValueId conditionOf(Builder& builder, ValueId x) {
    return builder.add("greater", {x, builder.add("neg", {x})});
}

Op activationGradient(std::string name, std::string saved, std::int64_t flops) {
    std::string help =
        fmt::format("Gradient of {}: dy times the derivative, computed from {}.",
                    name.substr(0, name.find("_gradient")), saved == "y" ? "the result y" : saved);
    return {.name = std::move(name),
            .help = std::move(help),
            .inputs = {{std::move(saved)}, {"dy"}},
            .outputs = {"dx"},
            .shape = allEqual,
            .placement = "~..., ... -> ...",
            .cost = perElement(flops),
            .inPlace = {{0, 0}, {1, 0}},
            .samples = elementwiseSamples(2)};
}

} // namespace weft::ops
