// SPDX-License-Identifier: Apache-2.0
// bias_add and channel_scale: y = x + b and y = x s, with one number of b or s for each index along
// one dim. Their gradients sum over all other dims.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

AttributeSpec dimAttribute() {
    return {.name = "dim",
            .defaultValue = std::int64_t{-1},
            .help = "Dim of x with one number of the second operand per index; -1 is the last."};
}

std::string biasLetters(const Signature& signature) {
    const std::size_t rank = signature.inputs[0].shape.size();
    return lettersWith(rank, dimOf(signature.attributes, rank), "o");
}

/// Returns the shape rule of y = f(x, numbers along a dim).
std::function<void(ShapeInference&)> alongDim(const char* numbers) {
    return [numbers](ShapeInference& inference) {
        const int dim = dimOrRefusal(inference, 0);
        if (dim < 0 ||
            !hasShape(inference, 1, {inference.shape(0)[static_cast<std::size_t>(dim)]}, numbers)) {
            return;
        }
        inference.output(0).shape = inference.shape(0);
    };
}

std::vector<Sample> alongDimSamples() {
    return {{.inputs = {{5, 7}, {7}}},
            {.inputs = {{1, 1}, {1}}},
            {.inputs = {{3, 5, 6}, {6}}},
            {.inputs = {{3, 5, 4, 7}, {5}}, .attributes = {{"dim", std::int64_t{1}}}}};
}

void inferBiasGradient(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim >= 0) {
        inference.output(0).shape = {inference.shape(0)[static_cast<std::size_t>(dim)]};
    }
}

} // namespace

void bias(OpList& list) {
    list.add(
        {.name = "bias_add",
         .help = "y = x + b, with one number of b for each index along one dim.",
         .inputs = {{"x"}, {"b"}},
         .outputs = {"y"},
         .attributes = {dimAttribute()},
         .shape = alongDim("bias"),
         .gradient =
             [](Gradient& gradient) {
                 if (gradient.needsGradient(0)) {
                     gradient.set(0, gradient.dy());
                 }
                 if (gradient.needsGradient(1)) {
                     gradient.set(
                         1, gradient.add("bias_gradient", {gradient.dy()}, gradient.attributes()));
                 }
             },
         .placementOf =
             [](const Signature& signature) {
                 return fmt::format("{0} + o -> {0}", biasLetters(signature));
             },
         .cost = [](const Signature& signature) { return Flops{signature.inputs[0].elements()}; },
         .inPlace = {{0, 0}},
         .samples = alongDimSamples(),
         .onnx = "Add"});
    list.add(
        {.name = "channel_scale",
         .help = "y = x s, with one number of s for each index along one dim.",
         .inputs = {{"x"}, {"s"}},
         .outputs = {"y"},
         .attributes = {dimAttribute()},
         .shape = alongDim("scale"),
         .gradient =
             [](Gradient& gradient) {
                 if (gradient.needsGradient(0)) {
                     gradient.set(0,
                                  gradient.add("channel_scale", {gradient.dy(), gradient.input(1)},
                                               gradient.attributes()));
                 }
                 if (gradient.needsGradient(1)) {
                     const ValueId product =
                         gradient.add("multiply", {gradient.dy(), gradient.input(0)});
                     gradient.set(1,
                                  gradient.add("bias_gradient", {product}, gradient.attributes()));
                 }
             },
         .placementOf =
             [](const Signature& signature) {
                 return fmt::format("{0}, o -> {0}", biasLetters(signature));
             },
         .cost = [](const Signature& signature) { return Flops{signature.inputs[0].elements()}; },
         .inPlace = {{0, 0}},
         .samples = alongDimSamples(),
         .onnx = "Mul"});
    list.add(
        {.name = "bias_gradient",
         .help = "The sum of dy over all dims but one: the gradient of bias_add with respect to b.",
         .inputs = {{"dy"}},
         .outputs = {"db"},
         .attributes = {dimAttribute()},
         .shape = inferBiasGradient,
         .placementOf =
             [](const Signature& signature) {
                 return fmt::format("{} -> o", biasLetters(signature));
             },
         .cost = [](const Signature& signature) { return Flops{signature.inputs[0].elements()}; },
         .samples = {{.inputs = {{5, 7}}},
                     {.inputs = {{1, 1}}},
                     {.inputs = {{3, 5, 6}}},
                     {.inputs = {{3, 5, 4, 7}}, .attributes = {{"dim", std::int64_t{1}}}}}});
}

} // namespace weft::ops
