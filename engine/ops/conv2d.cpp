// SPDX-License-Identifier: Apache-2.0
// y[b, o, Y, X] = sum over i, ky, kx of w[o, i, ky, kx] x[b, i of o's group, Y * stride - top + ky
// * dilation, ...]; positions outside x count as zero. dx is the transpose of that in x, dw in w.
#include "graph/builder.h"
#include "ops/rules.h"
#include "ops/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

AttributeSpec groupsAttribute() {
    return {.name = "groups", .defaultValue = std::int64_t{1}, .help = "Number of groups.", .least = 1};
}

Windows windowsWith(const Attributes& attributes, const Shape& weights) {
    Windows windows = windowsOf(attributes);
    windows.kernel = {weights[2], weights[3]};
    return windows;
}

bool areWeights(Inference& at, std::size_t input) {
    const std::int64_t groups = at.attributes().integer("groups");
    const Shape& w = at.shape(input);
    if (w.size() != 4) {
        at.refuse(fmt::format("weights are {}; conv2d takes [outputs, inputs of a group, rows, "
                              "columns]",
                              toString(w)),
                  input);
    } else if (w[0] % groups != 0) {
        at.refuse(fmt::format("{} output channels do not divide into {} groups", w[0], groups),
                  input);
    }
    return !at.isRefused();
}

void inferConvolution(Inference& at) {
    if (!isPicture(at, 0, "input", "conv2d") || !areWeights(at, 1)) {
        return;
    }
    const std::int64_t groups = at.attributes().integer("groups");
    const Shape& x = at.shape(0);
    const Shape& w = at.shape(1);
    if (x[1] != w[1] * groups) {
        at.refuse(fmt::format("input has {} channels; the weights {} in {} groups take {}", x[1],
                              toString(w), groups, w[1] * groups));
        return;
    }
    Shape y;
    if (inferWindows(at, windowsWith(at.attributes(), w), x, y)) {
        y[1] = w[0];
        at.output(0).shape = y;
    }
}

void inferConv2dInputGradient(Inference& at) {
    if (!isPicture(at, 0, "gradient", "conv2d") || !areWeights(at, 1)) {
        return;
    }
    const Shape& dy = at.shape(0);
    const Shape& w = at.shape(1);
    const auto size = pairOf(at.attributes(), "size");
    Shape expected;
    const Shape dx{dy[0], w[1] * at.attributes().integer("groups"), size[0], size[1]};
    if (!inferWindows(at, windowsWith(at.attributes(), w), dx, expected)) {
        return;
    }
    expected[1] = w[0];
    if (hasShape(at, 0, expected, "gradient")) {
        at.output(0).shape = dx;
    }
}

void inferConv2dWeightGradient(Inference& at) {
    if (!isPicture(at, 0, "input", "conv2d") || !isPicture(at, 1, "gradient", "conv2d")) {
        return;
    }
    const std::int64_t groups = at.attributes().integer("groups");
    const Shape& x = at.shape(0);
    const Shape& dy = at.shape(1);
    if (x[1] % groups != 0 || dy[1] % groups != 0) {
        at.refuse(fmt::format("{} input and {} output channels do not divide into {} groups", x[1],
                              dy[1], groups));
        return;
    }
    Shape expected;
    const Windows windows = windowsOf(at.attributes());
    if (!inferWindows(at, windows, x, expected)) {
        return;
    }
    expected[1] = dy[1];
    if (hasShape(at, 1, expected, "gradient")) {
        at.output(0).shape = {dy[1], x[1] / groups, windows.kernel[0], windows.kernel[1]};
    }
}

/// Each element of y, or of dy, meets all taps of one output channel.
Flops products(std::int64_t elements, const Shape& weights) {
    return {2 * elements * weights[1] * weights[2] * weights[3]};
}

std::map<std::string, std::int64_t> groupLetters(const Signature& at) {
    return {{"g", at.attributes.integer("groups")}};
}

void differentiateConv2d(Gradient& at) {
    if (at.wants(0)) {
        Attributes attributes = at.attributes();
        attributes.set("size", List{at.inputShape(0)[2], at.inputShape(0)[3]});
        at.set(0, at.add("conv2d_dx", {at.dy(), at.input(1)}, attributes));
    }
    if (at.wants(1)) {
        Attributes attributes = at.attributes();
        attributes.set("kernel", List{at.inputShape(1)[2], at.inputShape(1)[3]});
        at.set(1, at.add("conv2d_dw", {at.input(0), at.dy()}, attributes));
    }
}

/// Linear in both, and its own transpose is the convolution.
void differentiateInputGradient(Gradient& at) {
    Attributes attributes = at.attributes();
    attributes.remove("size");
    if (at.wants(0)) {
        at.set(0, at.add("conv2d", {at.dy(), at.input(1)}, attributes));
    }
    if (at.wants(1)) {
        attributes.set("kernel", List{at.inputShape(1)[2], at.inputShape(1)[3]});
        at.set(1, at.add("conv2d_dw", {at.dy(), at.input(0)}, attributes));
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
            .inputs = {{"x"}, {"w"}},
            .outputs = {"y"},
            .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                           groupsAttribute()},
            .shape = inferConvolution,
            .gradient = differentiateConv2d,
            .placement = "b (g i) y:ky x:kx, (g o) i ky kx -> b (g o) y x",
            .letterSizes = groupLetters,
            .windows =
                [](const Signature& at) {
                    return windowsWith(at.attributes, at.inputs[1].shape).letters();
                },
            .cost =
                [](const Signature& at) {
                    return products(at.outputs[0].elements(), at.inputs[1].shape);
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
        .inputs = {{"dy"}, {"w"}},
        .outputs = {"dx"},
        .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                       groupsAttribute(), sizeAttribute()},
        .shape = inferConv2dInputGradient,
        .gradient = differentiateInputGradient,
        .placement = "b (g o) y/ky x/kx, (g o) i ky kx -> b (g i) y x",
        .letterSizes = groupLetters,
        .windows =
            [](const Signature& at) {
                return windowsWith(at.attributes, at.inputs[1].shape).letters();
            },
        .cost =
            [](const Signature& at) {
                return products(at.inputs[0].elements(), at.inputs[1].shape);
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
    return {.name = "conv2d_dw",
            .inputs = {{"x"}, {"dy"}},
            .outputs = {"dw"},
            .attributes = {strideAttribute(), paddingAttribute(), dilationAttribute(),
                           groupsAttribute(), kernelAttribute()},
            .shape = inferConv2dWeightGradient,
            .placement = "b (g i) y:ky x:kx, b (g o) y x -> (g o) i ky kx",
            .letterSizes = groupLetters,
            .windows = [](const Signature& at) { return windowsOf(at.attributes).letters(); },
            .cost =
                [](const Signature& at) {
                    return products(at.inputs[1].elements(), at.outputs[0].shape);
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
