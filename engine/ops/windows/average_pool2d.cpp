// SPDX-License-Identifier: Apache-2.0
// y = the sum of each window divided by its count: the number of positions inside x, or inside x
// and its padding. A window that reaches beyond the padding (ceil) is clipped there. The gradient
// gives dy / count to each position of the window.
#include "graph/builder.h"
#include "ops/rules.h"
#include "ops/windows/windows.h"

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

std::vector<AttributeSpec> averagePool2dAttributes() {
    return {kernelAttribute(),
            strideAttribute(),
            paddingAttribute(),
            ceilAttribute(),
            {.name = "count_include_pad",
             .defaultValue = true,
             .help = "Count padding in the average."}};
}

void inferAverage(ShapeInference& inference) {
    Shape y;
    if (isPicture(inference, 0, "input", "average_pool2d") &&
        hasPaddingBelowKernel(inference, windowsOf(inference.attributes())) &&
        inferWindows(inference, windowsOf(inference.attributes()), inference.shape(0), y)) {
        inference.output(0).shape = y;
    }
}

void inferAveragePool2dGradient(ShapeInference& inference) {
    if (!isPicture(inference, 0, "gradient", "average_pool2d")) {
        return;
    }
    const auto size = pairOf(inference.attributes(), "size");
    const Shape dx{inference.shape(0)[0], inference.shape(0)[1], size[0], size[1]};
    Shape expected;
    if (inferWindows(inference, windowsOf(inference.attributes()), dx, expected) &&
        hasShape(inference, 0, expected, "gradient")) {
        inference.output(0).shape = dx;
    }
}

/// A sum over the window and one division, per window.
Flops flopsOf(const Signature& signature, std::int64_t windows) {
    const auto kernel = pairOf(signature.attributes, "kernel");
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
    list.add(
        {.name = "average_pool2d",
         .help = "The mean of each window of a map.",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .attributes = averagePool2dAttributes(),
         .shape = inferAverage,
         .gradient =
             [](Gradient& gradient) {
                 Attributes attributes = gradient.attributes();
                 attributes.set("size", List{gradient.inputShape(0)[2], gradient.inputShape(0)[3]});
                 gradient.set(0,
                              gradient.add("average_pool2d_gradient", {gradient.dy()}, attributes));
             },
         .placement = "b c y:ky x:kx -> b c y x",
         .letterSizes = taps,
         .windows = windowLetters,
         .cost =
             [](const Signature& signature) {
                 return flopsOf(signature, signature.outputs[0].elements());
             },
         .samples = averagePool2dForwardSamples(),
         .onnx = "AveragePool"});
    std::vector<AttributeSpec> gradientAttributes = averagePool2dAttributes();
    gradientAttributes.push_back(sizeAttribute());
    list.add({.name = "average_pool2d_gradient",
              .help = "Gradient of average_pool2d: dy / count at each position of the window.",
              .inputs = {{"dy"}},
              .outputs = {"dx"},
              .attributes = std::move(gradientAttributes),
              .shape = inferAveragePool2dGradient,
              .placement = "b c y/ky x/kx -> b c y x",
              .letterSizes = taps,
              .windows = windowLetters,
              .cost =
                  [](const Signature& signature) {
                      return flopsOf(signature, signature.inputs[0].elements());
                  },
              .samples = averagePool2dGradientSamples()});
}

} // namespace weft::ops
