// SPDX-License-Identifier: Apache-2.0
// reduce_sum, reduce_max and reduce_prod: the sum, maximum or product over some dims, by default
// over the last.
#include "graph/reduced_dims.h"
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using Dims = std::vector<std::int64_t>;

std::vector<AttributeSpec> reduceAttributes() {
    return {
        {.name = "dims", .defaultValue = Dims{-1}, .help = "Dims to reduce; -1 is the last."},
        {.name = "keepdims", .defaultValue = false, .help = "Keep the reduced dims, with size 1."}};
}

/// Returns the dims that an op reduces; refuses dims that the shape does not have.
std::vector<bool> dimsOrRefusal(ShapeInference& inference, const Shape& shape) {
    std::vector<bool> isReduced = reducedDims(inference.attributes(), shape.size());
    if (isReduced.empty()) {
        inference.refuse(fmt::format("input is {}, which does not have dims {}, each once",
                                     toString(shape),
                                     toString(inference.attributes().integers("dims"))));
    }
    return isReduced;
}

void reduceShape(ShapeInference& inference) {
    const std::vector<bool> isReduced = dimsOrRefusal(inference, inference.shape(0));
    if (!isReduced.empty()) {
        inference.output(0).shape =
            reducedShape(inference.shape(0), isReduced, inference.attributes().boolean("keepdims"));
    }
}

/// The letters of a value and of its reduction. A dim of size 1 that is kept
/// has a letter of its own, which is never split.
struct ReduceLetters {
    std::string whole, reduced;
};

ReduceLetters lettersOf(const Attributes& attributes, std::size_t rank,
                        const char* ofReduced = "") {
    const std::vector<bool> isReduced = reducedDims(attributes, rank);
    std::vector<std::string> letters = dimLetters(rank);
    std::vector<std::string> kept;
    for (std::size_t dim = 0; dim < rank; ++dim) {
        letters[dim] += isReduced[dim] ? ofReduced : "";
        if (!isReduced[dim]) {
            kept.push_back(letters[dim]);
        } else if (attributes.boolean("keepdims")) {
            kept.push_back(fmt::format("u{}!", dim));
        }
    }
    return {joined(letters), joined(kept)};
}

std::vector<Sample> reduceSamples() {
    std::vector<Sample> samples = elementwiseSamples(1);
    const auto add = [&](const Shape& x, const Dims& dims, bool keepdims) {
        samples.push_back({.inputs = {x}, .attributes = {{"dims", dims}, {"keepdims", keepdims}}});
    };
    add({3, 5, 4, 6}, {2, 3}, false);
    add({3, 5, 4, 6}, {1}, true);
    add({3, 4, 5, 6}, {1, 3}, true);
    add({3, 17, 5}, {-2}, false);
    add({4, 6}, {0, 1}, false);
    return samples;
}

/// Samples of the gradient: dy of the shape that the op gives, and the sizes
/// that it reduced.
std::vector<Sample> gradientSamples() {
    std::vector<Sample> samples = reduceSamples();
    for (Sample& sample : samples) {
        const Attributes attributes = completed(sample.attributes, reduceAttributes());
        const Shape x = sample.inputs[0];
        const std::vector<bool> isReduced = reducedDims(attributes, x.size());
        Dims sizes;
        for (const std::int64_t dim : attributes.integers("dims")) {
            sizes.push_back(x[static_cast<std::size_t>(
                dim < 0 ? dim + static_cast<std::int64_t>(x.size()) : dim)]);
        }
        sample.attributes.set("sizes", sizes);
        sample.inputs = {reducedShape(x, isReduced, attributes.boolean("keepdims"))};
    }
    return samples;
}

/// Returns how many dims x had.
std::size_t rankBefore(const Attributes& attributes, std::size_t rank) {
    return attributes.boolean("keepdims") ? rank : rank + attributes.integers("dims").size();
}

void gradientShape(ShapeInference& inference) {
    const Attributes& attributes = inference.attributes();
    const Shape& dy = inference.shape(0);
    const Dims& dims = attributes.integers("dims");
    const Dims& sizes = attributes.integers("sizes");
    const std::size_t rank = rankBefore(attributes, dy.size());
    const std::vector<bool> isReduced = dimsOrRefusal(inference, Shape(rank, 1));
    if (isReduced.empty()) {
        return;
    }
    if (sizes.size() != dims.size()) {
        inference.refuse(fmt::format("{} sizes are given for {} dims", sizes.size(), dims.size()));
        return;
    }
    Shape shape;
    for (std::size_t dim = 0, next = 0; dim < rank; ++dim) {
        const bool isOfDy = !isReduced[dim] || attributes.boolean("keepdims");
        shape.push_back(isOfDy ? dy[next++] : 1);
    }
    for (std::size_t k = 0; k < dims.size(); ++k) {
        const auto dim = static_cast<std::size_t>(
            dims[k] < 0 ? dims[k] + static_cast<std::int64_t>(rank) : dims[k]);
        if (shape[dim] != 1) {
            inference.refuse(
                fmt::format("gradient is {}; dim {} was reduced to size 1", toString(dy), dim));
            return;
        }
        shape[dim] = sizes[k];
    }
    inference.output(0).shape = shape;
}

/// Returns a value of the result's shape, repeated to the shape of x.
ValueId repeatedToInput(Gradient& gradient, ValueId value) {
    const Shape x = gradient.inputShape(0);
    Attributes attributes = gradient.attributes();
    Dims sizes;
    for (const std::int64_t dim : attributes.integers("dims")) {
        sizes.push_back(
            x[static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(x.size()) : dim)]);
    }
    attributes.set("sizes", sizes);
    return gradient.add("reduce_sum_gradient", {value}, std::move(attributes));
}

void differentiateSum(Gradient& gradient) {
    gradient.set(0, repeatedToInput(gradient, gradient.dy()));
}

/// Equal largest elements share dy, as with PyTorch's amax.
void differentiateMax(Gradient& gradient) {
    const ValueId isLargest =
        gradient.add("equal", {gradient.input(0), repeatedToInput(gradient, gradient.output())});
    const ValueId count =
        repeatedToInput(gradient, gradient.add("reduce_sum", {isLargest}, gradient.attributes()));
    const ValueId dy =
        gradient.add("multiply", {isLargest, repeatedToInput(gradient, gradient.dy())});
    gradient.set(0, gradient.add("divide", {dy, count}));
}

/// The slope is the product of the other elements: 0 if another one is 0.
void differentiateProduct(Gradient& gradient) {
    const ValueId x = gradient.input(0);
    const ValueId isZero = gradient.add("equal_number", {x}, {{"number", 0.0}});
    const ValueId nonzero = gradient.add("add", {x, isZero}); // 1 in place of 0
    const ValueId zeros =
        repeatedToInput(gradient, gradient.add("reduce_sum", {isZero}, gradient.attributes()));
    const ValueId otherZeros = gradient.add("subtract", {zeros, isZero});
    const ValueId hasNone = gradient.add("equal_number", {otherZeros}, {{"number", 0.0}});
    const ValueId product =
        repeatedToInput(gradient, gradient.add("reduce_prod", {nonzero}, gradient.attributes()));
    const ValueId others =
        gradient.add("multiply", {gradient.add("divide", {product, nonzero}), hasNone});
    gradient.set(0, gradient.add("multiply", {others, repeatedToInput(gradient, gradient.dy())}));
}

} // namespace

void reduce_sum(OpList& list) {
    list.add({.name = "reduce_sum",
              .help = "The sum over some dims.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .attributes = reduceAttributes(),
              .shape = reduceShape,
              .gradient = differentiateSum,
              .placementOf =
                  [](const Signature& s) {
                      const auto of = lettersOf(s.attributes, s.inputs[0].shape.size());
                      return of.whole + " -> " + of.reduced;
                  },
              .cost = perElement(1),
              .samples = reduceSamples(),
              .onnx = "ReduceSum"});
    std::vector<AttributeSpec> gradientAttributes = reduceAttributes();
    gradientAttributes.push_back(
        {.name = "sizes", .defaultValue = Dims{1}, .help = "Sizes of the dims before."});
    list.add({.name = "reduce_sum_gradient",
              .help = "Gradient of reduce_sum: repeats dy along the dims that were "
                      "reduced.",
              .inputs = {{"dy"}},
              .outputs = {"dx"},
              .attributes = std::move(gradientAttributes),
              .shape = gradientShape,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(
                          0,
                          gradient.add("reduce_sum", {gradient.dy()},
                                       {{"dims", gradient.attributes().integers("dims")},
                                        {"keepdims", gradient.attributes().boolean("keepdims")}}));
                  },
              .placementOf =
                  [](const Signature& s) {
                      const auto of = lettersOf(s.attributes, s.outputs[0].shape.size());
                      return of.reduced + " -> " + of.whole;
                  },
              .cost = [](const Signature& s) { return Flops{s.outputs[0].elements()}; },
              .samples = gradientSamples()});
    list.add({.name = "reduce_max",
              .help = "The maximum over some dims.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .attributes = reduceAttributes(),
              .shape = reduceShape,
              .gradient = differentiateMax,
              .placementOf =
                  [](const Signature& s) {
                      const auto of = lettersOf(s.attributes, s.inputs[0].shape.size());
                      return "~" + of.whole + " -> ^" + of.reduced;
                  },
              .cost = perElement(1),
              .samples = reduceSamples(),
              .undeclaredRows = {"x PartialMax: correct, but of no use, since a "
                                 "PartialMax is reduced immediately"},
              .onnx = "ReduceMax",
              .choice = PiecewiseGradient{}});
    list.add({.name = "reduce_prod",
              .help = "The product over some dims.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .attributes = reduceAttributes(),
              .shape = reduceShape,
              .gradient = differentiateProduct,
              .placementOf =
                  [](const Signature& s) {
                      const auto of = lettersOf(s.attributes, s.inputs[0].shape.size(), "!");
                      return "~" + of.whole + " -> " + of.reduced;
                  },
              .cost = perElement(1),
              .samples = reduceSamples(),
              .onnx = "ReduceProd"});
}

} // namespace weft::ops
