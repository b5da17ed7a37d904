// SPDX-License-Identifier: Apache-2.0
// y[b, o, Y, X] = sum over i, ky, kx of w[o, i, ky, kx] x[b, i of o's group, Y * stride - top + ky
// * dilation, ...]; positions outside x count as zero. dx is the transpose of that in x, dw in w.
#include "graph/builder.h"
#include "ops/rules.h"
#include "ops/windows/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

AttributeSpec groupsAttribute() {
    return {
        .name = "groups", .defaultValue = std::int64_t{1}, .help = "Number of groups.", .least = 1};
}

Windows windowsWith(const Attributes& attributes, const Shape& weights) {
    Windows windows = windowsOf(attributes);
    windows.kernel = {weights[2], weights[3]};
    return windows;
}

bool areWeights(ShapeInference& inference, std::size_t input) {
    const std::int64_t groups = inference.attributes().integer("groups");
    const Shape& w = inference.shape(input);
    if (w.size() != 4) {
        inference.refuse(
            fmt::format(
                "weights are {}; conv2d expects [filters, channels / groups, rows, columns]",
                toString(w)),
            input);
    } else if (w[0] % groups != 0) {
        inference.refuse(
            fmt::format("{} output channels do not divide into {} groups", w[0], groups), input);
    }
    return !inference.isRefused();
}

void inferConvolution(ShapeInference& inference) {
    if (!isPicture(inference, 0, "input", "conv2d") || !areWeights(inference, 1)) {
        return;
    }
    const std::int64_t groups = inference.attributes().integer("groups");
    const Shape& x = inference.shape(0);
    const Shape& w = inference.shape(1);
    if (x[1] != w[1] * groups) {
        inference.refuse(fmt::format("input has {} channels; weights {} in {} groups expect {}",
                                     x[1], toString(w), groups, w[1] * groups));
        return;
    }
    Shape y;
    if (inferWindows(inference, windowsWith(inference.attributes(), w), x, y)) {
        y[1] = w[0];
        inference.output(0).shape = y;
    }
}

void inferConv2dInputGradient(ShapeInference& inference) {
    if (!isPicture(inference, 0, "gradient", "conv2d") || !areWeights(inference, 1)) {
        return;
    }
    const Shape& dy = inference.shape(0);
    const Shape& w = inference.shape(1);
    const auto size = pairOf(inference.attributes(), "size");
    Shape expected;
    const Shape dx{dy[0], w[1] * inference.attributes().integer("groups"), size[0], size[1]};
    if (!inferWindows(inference, windowsWith(inference.attributes(), w), dx, expected)) {
        return;
    }
    expected[1] = w[0];
    if (hasShape(inference, 0, expected, "gradient")) {
        inference.output(0).shape = dx;
    }
}

void inferConv2dWeightGradient(ShapeInference& inference) {
    if (!isPicture(inference, 0, "input", "conv2d") ||
        !isPicture(inference, 1, "gradient", "conv2d")) {
        return;
    }
    const std::int64_t groups = inference.attributes().integer("groups");
    const Shape& x = inference.shape(0);
    const Shape& dy = inference.shape(1);
    if (x[1] % groups != 0 || dy[1] % groups != 0) {
        inference.refuse(fmt::format("{} input and {} output channels do not divide into {} groups",
                                     x[1], dy[1], groups));
        return;
    }
    Shape expected;
    const Windows windows = windowsOf(inference.attributes());
    if (!inferWindows(inference, windows, x, expected)) {
        return;
    }
    expected[1] = dy[1];
    if (hasShape(inference, 1, expected, "gradient")) {
        inference.output(0).shape = {dy[1], x[1] / groups, windows.kernel[0], windows.kernel[1]};
    }
}

/// Each element of y, or of dy, is multiplied with all taps of one output channel.
Flops products(std::int64_t elements, const Shape& weights) {
    return {2 * elements * weights[1] * weights[2] * weights[3]};
}

std::map<std::string, std::int64_t> groupLetters(const Signature& signature) {
    return {{"g", signature.attributes.integer("groups")}};
}

void differentiateConv2d(Gradient& gradient) {
    if (gradient.needsGradient(0)) {
        Attributes attributes = gradient.attributes();
        attributes.set("size", List{gradient.inputShape(0)[2], gradient.inputShape(0)[3]});
        gradient.set(0, gradient.add("conv2d_dx", {gradient.dy(), gradient.input(1)}, attributes));
    }
    if (gradient.needsGradient(1)) {
        Attributes attributes = gradient.attributes();
        attributes.set("kernel", List{gradient.inputShape(1)[2], gradient.inputShape(1)[3]});
        gradient.set(1, gradient.add("conv2d_dw", {gradient.input(0), gradient.dy()}, attributes));
    }
}

/// Linear in both; its transpose is the convolution itself.
void differentiateInputGradient(Gradient& gradient) {
    Attributes attributes = gradient.attributes();
    attributes.remove("size");
    if (gradient.needsGradient(0)) {
        gradient.set(0, gradient.add("conv2d", {gradient.dy(), gradient.input(1)}, attributes));
    }
    if (gradient.needsGradient(1)) {
        attributes.set("kernel", List{gradient.inputShape(1)[2], gradient.inputShape(1)[3]});
        gradient.set(1, gradient.add("conv2d_dw", {gradient.dy(), gradient.input(0)}, attributes));
    }
}

Attributes strided() { return {{"stride", List{2, 1}}, {"padding", List{1, 2, 0, 1}}}; }
Attributes dilated() { return {{"dilation", List{2, 3}}, {"padding", List{2, 3, 2, 3}}}; }
Attributes grouped() { return {{"groups", std::int64_t{3}}, {"padding", List{1, 1, 1, 1}}}; }

Attributes with(Attributes attributes, std::string name, List value) {
    attributes.set(std::move(name), std::move(value));
    return attributes;
}

Op forward() {
    return {.name = "conv2d",
            .help = "Convolution: each output is the sum of a window of the input times a filter.",
            .inputs = {{"x"}, {"w"}},
            .outputs = {"y"},
            .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                           groupsAttribute()},
            .shape = inferConvolution,
            .gradient = differentiateConv2d,
            .placement = "b (g i) y:ky x:kx, (g o) i ky kx -> b (g o) y x",
            .letterSizes = groupLetters,
            .windows =
                [](const Signature& signature) {
                    return windowsWith(signature.attributes, signature.inputs[1].shape).letters();
                },
            .cost =
                [](const Signature& signature) {
                    return products(signature.outputs[0].elements(), signature.inputs[1].shape);
                },
            .samples = {{.inputs = {{3, 5, 6, 7}, {4, 5, 3, 3}}},
                        {.inputs = {{1, 1, 1, 1}, {1, 1, 1, 1}}},
                        {.inputs = {{2, 3, 9, 8}, {5, 3, 3, 2}}, .attributes = strided()},
                        {.inputs = {{2, 3, 9, 11}, {2, 3, 3, 3}}, .attributes = dilated()},
                        {.inputs = {{2, 6, 5, 5}, {9, 2, 3, 3}}, .attributes = grouped()},
                        {.inputs = {{2, 3, 6, 5}, {3, 1, 3, 3}}, .attributes = grouped()},
                        {.inputs = {{2, 17, 5, 5}, {19, 17, 1, 1}}}},
            .onnx = "Conv"};
}

Op inputGradient() {
    return {
        .name = "conv2d_dx",
        .help = "Gradient of conv2d with respect to its input: the transposed convolution of dy "
                "with the filters.",
        .inputs = {{"dy"}, {"w"}},
        .outputs = {"dx"},
        .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                       groupsAttribute(), sizeAttribute()},
        .shape = inferConv2dInputGradient,
        .gradient = differentiateInputGradient,
        .placement = "b (g o) y/ky x/kx, (g o) i ky kx -> b (g i) y x",
        .letterSizes = groupLetters,
        .windows =
            [](const Signature& signature) {
                return windowsWith(signature.attributes, signature.inputs[1].shape).letters();
            },
        .cost =
            [](const Signature& signature) {
                return products(signature.inputs[0].elements(), signature.inputs[1].shape);
            },
        .samples = {{.inputs = {{3, 4, 4, 5}, {4, 5, 3, 3}}, .attributes = {{"size", List{6, 7}}}},
                    {.inputs = {{1, 1, 1, 1}, {1, 1, 1, 1}}, .attributes = {{"size", List{1, 1}}}},
                    {.inputs = {{2, 5, 4, 10}, {5, 3, 3, 2}},
                     .attributes = with(strided(), "size", {9, 8})},
                    {.inputs = {{2, 2, 9, 11}, {2, 3, 3, 3}},
                     .attributes = with(dilated(), "size", {9, 11})},
                    {.inputs = {{2, 9, 5, 5}, {9, 2, 3, 3}},
                     .attributes = with(grouped(), "size", {5, 5})},
                    {.inputs = {{2, 3, 6, 5}, {3, 1, 3, 3}},
                     .attributes = with(grouped(), "size", {6, 5})}}};
}

Op weightGradient() {
    return {
        .name = "conv2d_dw",
        .help = "Gradient of conv2d with respect to its filters: the sum over all windows of the "
                "input times dy.",
        .inputs = {{"x"}, {"dy"}},
        .outputs = {"dw"},
        .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                       groupsAttribute(), kernelAttribute()},
        .shape = inferConv2dWeightGradient,
        .placement = "b (g i) y:ky x:kx, b (g o) y x -> (g o) i ky kx",
        .letterSizes = groupLetters,
        .windows =
            [](const Signature& signature) { return windowsOf(signature.attributes).letters(); },
        .cost =
            [](const Signature& signature) {
                return products(signature.inputs[1].elements(), signature.outputs[0].shape);
            },
        .samples = {{.inputs = {{3, 5, 6, 7}, {3, 4, 4, 5}},
                     .attributes = {{"kernel", List{3, 3}}}},
                    {.inputs = {{1, 1, 1, 1}, {1, 1, 1, 1}},
                     .attributes = {{"kernel", List{1, 1}}}},
                    {.inputs = {{2, 3, 9, 8}, {2, 5, 4, 10}},
                     .attributes = with(strided(), "kernel", {3, 2})},
                    {.inputs = {{2, 3, 9, 11}, {2, 2, 9, 11}},
                     .attributes = with(dilated(), "kernel", {3, 3})},
                    {.inputs = {{2, 6, 5, 5}, {2, 9, 5, 5}},
                     .attributes = with(grouped(), "kernel", {3, 3})},
                    {.inputs = {{2, 3, 6, 5}, {2, 3, 6, 5}},
                     .attributes = with(grouped(), "kernel", {3, 3})}}};
}

} // namespace

void conv2d(OpList& list) {
    list.add(forward());
    list.add(inputGradient());
    list.add(weightGradient());
}

} // namespace weft::ops
