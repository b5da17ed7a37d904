// SPDX-License-Identifier: Apache-2.0
// y = the maximum of each window; position = its place in the window (row * columns of the window +
// column), of several equal ones the first: u8, or i32 if windows have more than 256 places. The
// gradient goes to that place only. Places outside x are never the maximum.
#include "graph/builder.h"
#include "ops/rules.h"
#include "ops/windows/windows.h"

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

/// Returns the smallest type that can count the places of a window.
DType positionType(const Attributes& attributes) {
    const auto kernel = pairOf(attributes, "kernel");
    constexpr std::int64_t most = 256;
    return kernel[0] * kernel[1] <= most ? DType::u8 : DType::i32;
}

void inferMaximum(ShapeInference& inference) {
    const Windows windows = windowsOf(inference.attributes());
    Shape y;
    if (isPicture(inference, 0, "input", "max_pool2d") &&
        hasPaddingBelowKernel(inference, windows) &&
        inferWindows(inference, windows, inference.shape(0), y)) {
        inference.output(0).shape = y;
        inference.output(1) = {positionType(inference.attributes()), y};
    }
}

void inferMaxPool2dGradient(ShapeInference& inference) {
    if (!isPicture(inference, 1, "gradient", "max_pool2d") || !haveOneShape(inference, 0, 1)) {
        return;
    }
    const auto size = pairOf(inference.attributes(), "size");
    const Shape dx{inference.shape(1)[0], inference.shape(1)[1], size[0], size[1]};
    Shape expected;
    if (inferWindows(inference, windowsOf(inference.attributes()), dx, expected) &&
        hasShape(inference, 1, expected, "gradient")) {
        inference.output(0).shape = dx;
    }
}

std::vector<AttributeSpec> maxPool2dAttributes() {
    return {kernelAttribute(), strideAttribute(), paddingAttribute(), ceilAttribute()};
}

void differentiateMaxPool2d(Gradient& gradient) {
    Attributes attributes = gradient.attributes();
    attributes.set("size", List{gradient.inputShape(0)[2], gradient.inputShape(0)[3]});
    gradient.set(
        0, gradient.add("max_pool2d_gradient", {gradient.output(1), gradient.dy()}, attributes));
}

std::vector<Sample> maxPool2dForwardSamples() {
    return {{.inputs = {{3, 5, 6, 4}}, .attributes = {{"stride", List{2, 2}}}},
            {.inputs = {{1, 1, 1, 1}}, .attributes = {{"kernel", List{1, 1}}}},
            {.inputs = {{2, 3, 7, 8}},
             .attributes = {{"kernel", List{3, 3}},
                            {"stride", List{2, 2}},
                            {"padding", List{1, 1, 1, 1}}}},
            {.inputs = {{2, 17, 8, 8}},
             .attributes = {{"kernel", List{3, 2}}, {"stride", List{3, 3}}, {"ceil", true}}},
            {.inputs = {{1, 2, 9, 7}},
             .attributes = {{"kernel", List{3, 3}}, {"padding", List{0, 2, 1, 0}}}}};
}

/// Returns the element of x at a place of a window.
PiecewiseGradient::ElementOf elementsOfWindows(const Attributes& attributes, const Shape& x,
                                               const Shape& positions) {
    const Windows windows = windowsOf(attributes);
    return [windows, rows = x[2], columns = x[3],
            across = positions[3]](std::int64_t window, std::int64_t place) -> std::int64_t {
        const std::int64_t row =
            window / across * windows.stride[0] - windows.before[0] + place / windows.kernel[1];
        const std::int64_t column =
            window % across * windows.stride[1] - windows.before[1] + place % windows.kernel[1];
        const bool isInside = place >= 0 && place < windows.kernel[0] * windows.kernel[1] &&
                              row >= 0 && row < rows && column >= 0 && column < columns;
        return isInside ? row * columns + column : -1;
    };
}

/// Positions must be those of a maximum, so the forward op computes them.
std::vector<Sample> maxPool2dGradientSamples() {
    std::vector<Sample> samples;
    for (Sample sample : maxPool2dForwardSamples()) {
        const Attributes pool = sample.attributes;
        const Shape x = sample.inputs[0];
        Windows windows = windowsOf(completed(pool, maxPool2dAttributes()));
        const Shape dy{x[0], x[1], windows.outputs(0, x[2]), windows.outputs(1, x[3])};
        sample.attributes.set("size", List{x[2], x[3]});
        sample.inputs = {x, dy};
        sample.operands = [pool](Builder& b, const std::vector<ValueId>& drawn) {
            return std::vector{b.addAll("max_pool2d", {drawn[0]}, pool)[1], drawn[1]};
        };
        samples.push_back(std::move(sample));
    }
    return samples;
}

} // namespace

void max_pool2d(OpList& list) {
    list.add({.name = "max_pool2d",
              .help = "The largest element of each window of a map, and its place in the window.",
              .inputs = {{"x"}},
              .outputs = {"y", "position"},
              .attributes = maxPool2dAttributes(),
              .shape = inferMaximum,
              .gradient = differentiateMaxPool2d,
              .placement = "~b c y:ky x:kx -> b c y x, b c y x",
              .letterSizes = taps,
              .windows = windowLetters,
              .cost =
                  [](const Signature& signature) {
                      const auto kernel = pairOf(signature.attributes, "kernel");
                      return Flops{signature.outputs[0].elements() * kernel[0] * kernel[1]};
                  },
              .samples = maxPool2dForwardSamples(),
              .onnx = "MaxPool",
              .choice = PiecewiseGradient{.index = 1, .elements = elementsOfWindows}});
    std::vector<AttributeSpec> gradientAttributes = maxPool2dAttributes();
    gradientAttributes.push_back(sizeAttribute());
    list.add(
        {.name = "max_pool2d_gradient",
         .help = "Gradient of max_pool2d: adds dy at the place of each window's largest element.",
         .inputs = {{"position", OperandType::integer}, {"dy"}},
         .outputs = {"dx"},
         .attributes = std::move(gradientAttributes),
         .shape = inferMaxPool2dGradient,
         .placement = "~b c y/ky x/kx, b c y/ky x/kx -> b c y x",
         .letterSizes = taps,
         .windows = windowLetters,
         .cost = [](const Signature& signature) { return Flops{signature.inputs[1].elements()}; },
         .samples = maxPool2dGradientSamples()});
}

} // namespace weft::ops
