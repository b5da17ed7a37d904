// SPDX-License-Identifier: Apache-2.0
// y = the sum of each window divided by its count: of positions inside x, or of those inside x and
// its padding. A window that reaches beyond the padding (ceil) is clipped there. The gradient gives
// dy / count to each position of the window.
#include "graph/builder.h"
#include "ops/rules.h"
#include "ops/windows.h"

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

std::vector<AttributeSpec> averagePool2dAttributes() {
    return {
        kernelAttribute(),
        strideAttribute(),
        paddingAttribute(),
        ceilAttribute(),
        {.name = "count_include_pad", .defaultValue = true, .help = "Count padding in the average."}};
}

void inferAverage(Inference& at) {
    Shape y;
    if (isPicture(at, 0, "input", "average_pool2d") &&
        hasPaddingBelowKernel(at, windowsOf(at.attributes())) &&
        inferWindows(at, windowsOf(at.attributes()), at.shape(0), y)) {
        at.output(0).shape = y;
    }
}

void inferAveragePool2dGradient(Inference& at) {
    if (!isPicture(at, 0, "gradient", "average_pool2d")) {
        return;
    }
    const auto size = pairOf(at.attributes(), "size");
    const Shape dx{at.shape(0)[0], at.shape(0)[1], size[0], size[1]};
    Shape expected;
    if (inferWindows(at, windowsOf(at.attributes()), dx, expected) &&
        hasShape(at, 0, expected, "gradient")) {
        at.output(0).shape = dx;
    }
}

/// A sum over the taps, and a division, per window.
Flops flopsOf(const Signature& at, std::int64_t windows) {
    const auto kernel = pairOf(at.attributes, "kernel");
    return {windows * (kernel[0] * kernel[1] + 1)};
}

std::vector<Sample> averagePool2dForwardSamples() {
    return {{.inputs = {{3, 5, 6, 4}}, .attributes = {{"stride", List{2, 2}}}},
            {.inputs = {{1, 1, 1, 1}}, .attributes = {{"kernel", List{1, 1}}}},
            {.inputs = {{2, 3, 7, 8}},
             .attributes = {{"kernel", List{3, 3}},
                            {"stride", List{2, 2}},
                            {"padding", List{1, 1, 1, 1}},
                            {"count_include_pad", false}}},
            {.inputs = {{2, 17, 8, 8}},
             .attributes = {{"kernel", List{3, 2}},
                            {"stride", List{3, 3}},
                            {"padding", List{1, 0, 1, 1}},
                            {"ceil", true}}},
            {.inputs = {{1, 2, 9, 7}}, .attributes = {{"kernel", List{3, 3}}}}};
}

std::vector<Sample> averagePool2dGradientSamples() {
    std::vector<Sample> samples = averagePool2dForwardSamples();
    for (Sample& sample : samples) {
        const Shape x = sample.inputs[0];
        const Windows windows = windowsOf(completed(sample.attributes, averagePool2dAttributes()));
        sample.attributes.set("size", List{x[2], x[3]});
        sample.inputs = {{x[0], x[1], windows.outputs(0, x[2]), windows.outputs(1, x[3])}};
    }
    return samples;
}

} // namespace

void average_pool2d(OpList& list) {
    list.add({.name = "average_pool2d",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .attributes = averagePool2dAttributes(),
              .shape = inferAverage,
              .gradient =
                  [](Gradient& at) {
                      Attributes attributes = at.attributes();
                      attributes.set("size", List{at.inputShape(0)[2], at.inputShape(0)[3]});
                      at.set(0, at.add("average_pool2d_gradient", {at.dy()}, attributes));
                  },
              .placement = "b c y:ky x:kx -> b c y x",
              .letterSizes = taps,
              .windows = windowLetters,
              .cost = [](const Signature& at) { return flopsOf(at, at.outputs[0].elements()); },
              .samples = averagePool2dForwardSamples(),
              .onnx = "AveragePool"});
    std::vector<AttributeSpec> gradientAttributes = averagePool2dAttributes();
    gradientAttributes.push_back(sizeAttribute());
    list.add({.name = "average_pool2d_gradient",
              .inputs = {{"dy"}},
              .outputs = {"dx"},
              .attributes = std::move(gradientAttributes),
              .shape = inferAveragePool2dGradient,
              .placement = "b c y/ky x/kx -> b c y x",
              .letterSizes = taps,
              .windows = windowLetters,
              .cost = [](const Signature& at) { return flopsOf(at, at.inputs[0].elements()); },
              .samples = averagePool2dGradientSamples()});
}

} // namespace weft::ops
