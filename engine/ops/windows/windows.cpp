// SPDX-License-Identifier: Apache-2.0
#include "ops/windows/windows.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::ops {

std::int64_t Windows::outputs(std::size_t side, std::int64_t size) const {
    const std::int64_t reach = dilation[side] * (kernel[side] - 1) + 1;
    const std::int64_t room = size + before[side] + after[side] - reach;
    if (room < 0 && !(ceil && room + stride[side] > 0)) {
        return 0;
    }
    if (!ceil) {
        return room / stride[side] + 1;
    }
    const std::int64_t count = (room + stride[side] - 1) / stride[side] + 1;
    const bool lastBeginsInside = (count - 1) * stride[side] < size + before[side];
    return lastBeginsInside ? count : count - 1;
}

std::vector<Window> Windows::letters() const {
    return {{"y", kernel[0], stride[0], before[0], dilation[0]},
            {"x", kernel[1], stride[1], before[1], dilation[1]}};
}

std::array<std::int64_t, 2> pairOf(const Attributes& attributes, std::string_view name) {
    const auto list = attributes.integers(name);
    return {list.front(), list.back()};
}

Windows windowsOf(const Attributes& attributes) {
    Windows windows;
    if (attributes.has("kernel")) {
        windows.kernel = pairOf(attributes, "kernel");
    }
    if (attributes.has("stride")) {
        windows.stride = pairOf(attributes, "stride");
    }
    if (attributes.has("dilation")) {
        windows.dilation = pairOf(attributes, "dilation");
    }
    if (attributes.has("padding")) {
        const auto padding = attributes.integers("padding");
        const bool isOne = padding.size() == 1;
        windows.before = {padding[0], padding[isOne ? 0 : 1]};
        windows.after = {padding[isOne ? 0 : 2], padding[isOne ? 0 : 3]};
    }
    windows.ceil = attributes.has("ceil") && attributes.boolean("ceil");
    return windows;
}

bool isPicture(ShapeInference& inference, std::size_t input, std::string_view name,
               std::string_view layer) {
    if (inference.shape(input).size() == 4) {
        return true;
    }
    inference.refuse(fmt::format("{} is {}; {} expects [batch, channels, rows, columns]", name,
                                 toString(inference.shape(input)), layer),
                     input);
    return false;
}

bool inferWindows(ShapeInference& inference, const Windows& windows, const Shape& input,
                  Shape& output) {
    output = input;
    for (const std::size_t side : {0U, 1U}) {
        output[2 + side] = windows.outputs(side, input[2 + side]);
    }
    if (output[2] > 0 && output[3] > 0) {
        return true;
    }
    inference.refuse(fmt::format("input is {}; a window of {} x {} does not fit into {} x {} rows "
                                 "and columns, which include the padding",
                                 toString(input), windows.dilation[0] * (windows.kernel[0] - 1) + 1,
                                 windows.dilation[1] * (windows.kernel[1] - 1) + 1,
                                 input[2] + windows.before[0] + windows.after[0],
                                 input[3] + windows.before[1] + windows.after[1]));
    return false;
}

bool hasPaddingBelowKernel(ShapeInference& inference, const Windows& windows) {
    for (const std::size_t side : {0U, 1U}) {
        const std::int64_t padding = std::max(windows.before[side], windows.after[side]);
        if (padding >= windows.kernel[side]) {
            inference.refuse(fmt::format("with a padding of {}, a window of {} can lie in the "
                                         "padding alone; use less padding",
                                         padding, windows.kernel[side]));
            return false;
        }
    }
    return true;
}

std::map<std::string, std::int64_t> taps(const Signature& signature) {
    const auto kernel = pairOf(signature.attributes, "kernel");
    return {{"ky", kernel[0]}, {"kx", kernel[1]}};
}

std::vector<Window> windowLetters(const Signature& signature) {
    return windowsOf(signature.attributes).letters();
}

namespace {

using List = std::vector<std::int64_t>;

} // namespace

AttributeSpec kernelAttribute() {
    return {.name = "kernel",
            .defaultValue = List{2, 2},
            .help = "Kernel size: rows, columns.",
            .least = 1,
            .count = 2,
            .required = true};
}

AttributeSpec strideAttribute() {
    return {.name = "stride",
            .defaultValue = List{1, 1},
            .help = "Stride: rows, columns.",
            .least = 1,
            .count = 2};
}

AttributeSpec paddingAttribute() {
    return {.name = "padding",
            .defaultValue = List{0, 0, 0, 0},
            .help = "Padding: top, left, bottom, right.",
            .least = 0,
            .count = 4};
}

AttributeSpec dilationAttribute() {
    return {.name = "dilation",
            .defaultValue = List{1, 1},
            .help = "Dilation: rows, columns.",
            .least = 1,
            .count = 2};
}

AttributeSpec ceilAttribute() {
    return {.name = "ceil", .defaultValue = false, .help = "Round the output size up (ceil_mode)."};
}

AttributeSpec sizeAttribute() {
    return {.name = "size",
            .defaultValue = List{1, 1},
            .help = "Rows and columns of the input.",
            .least = 1,
            .count = 2,
            .required = true};
}

} // namespace weft::ops
