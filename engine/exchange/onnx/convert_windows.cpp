// SPDX-License-Identifier: Apache-2.0
// Convolutions and poolings.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::onnx {

namespace {

struct Geometry {
    Shape kernel;
    Shape stride;
    Shape padding; ///< rows and columns, the same on both sides
    bool isSame = false;
};

/// Returns the padding before and after one axis that ONNX's auto_pad SAME computes.
std::pair<std::int64_t, std::int64_t> samePadding(std::int64_t size, std::int64_t reach,
                                                  std::int64_t stride, bool isUpper) {
    const std::int64_t outputs = (size + stride - 1) / stride;
    const std::int64_t sum = std::max<std::int64_t>(0, (outputs - 1) * stride + reach - size);
    const std::int64_t less = sum / 2;
    return isUpper ? std::pair(less, sum - less) : std::pair(sum - less, less);
}

void requirePicture(const NodeConversion& conversion) {
    if (conversion.inputRank(0) != 4) {
        throw Refusal(fmt::format("its input is {}; only 2-D windows over [batch, channels, rows, "
                                  "columns] are imported",
                                  toString(conversion.inputShapes(0)[0])));
    }
}

/// Reads kernel, strides, pads, dilations and auto_pad. `takesSame`: an odd padding at the bottom
/// and right may be kept as `pad: same`.
Geometry geometryOf(NodeConversion& conversion, Shape kernel, const Shape& dilation,
                    bool takesSame) {
    AttributeReader& attributes = conversion.attributes;
    Geometry made;
    made.kernel = std::move(kernel);
    made.stride = attributes.wholes("strides", {1, 1});
    Shape pads = attributes.wholes("pads", {0, 0, 0, 0});
    const std::string automatic = attributes.text("auto_pad", "NOTSET");
    if (made.kernel.size() != 2 || made.stride.size() != 2 || dilation.size() != 2 ||
        pads.size() != 4 || std::ranges::any_of(made.kernel, [](auto x) { return x < 1; }) ||
        std::ranges::any_of(made.stride, [](auto x) { return x < 1; }) ||
        std::ranges::any_of(dilation, [](auto x) { return x < 1; })) {
        throw Refusal("its kernel, strides, pads or dilations are not those of a 2-D window");
    }
    const Shape reach = {dilation[0] * (made.kernel[0] - 1) + 1,
                         dilation[1] * (made.kernel[1] - 1) + 1};
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
        for (std::size_t side = 0; side < 2; ++side) {
            const auto [before, after] =
                samePadding(conversion.computedInput(0).rest[side + 1], reach[side],
                            made.stride[side], automatic == "SAME_UPPER");
            pads[side] = before;
            pads[side + 2] = after;
        }
    } else if (automatic == "VALID") {
        pads = {0, 0, 0, 0};
    } else if (automatic != "NOTSET" && !automatic.empty()) {
        throw Refusal(fmt::format("its auto_pad {} is unknown", automatic));
    }
    if (pads[0] == pads[2] && pads[1] == pads[3] && pads[0] >= 0 && pads[1] >= 0) {
        made.padding = {pads[0], pads[1]};
        return made;
    }
    const Shape same = {(reach[0] - 1) / 2, (reach[1] - 1) / 2, reach[0] - 1 - (reach[0] - 1) / 2,
                        reach[1] - 1 - (reach[1] - 1) / 2};
    made.isSame = takesSame && made.stride == Shape{1, 1} && pads == same;
    if (!made.isSame) {
        throw Refusal(fmt::format("its pads {} differ at opposite sides; Weft pads both sides "
                                  "alike",
                                  toString(pads)));
    }
    return made;
}

} // namespace

void convertConv(NodeConversion& conversion) {
    requirePicture(conversion);
    AttributeReader& attributes = conversion.attributes;
    const TensorPointer weight = conversion.constantInput(1);
    if (weight->shape.size() != 4 || !weight->isReal()) {
        throw Refusal(fmt::format("its weight is {}; a 2-D convolution has [filters, channels, "
                                  "rows, columns]",
                                  toString(weight->shape)));
    }
    const Shape kernel{weight->shape[2], weight->shape[3]};
    if (attributes.wholes("kernel_shape", kernel) != kernel) {
        throw Refusal("its kernel_shape is not that of its weight");
    }
    const Shape dilation = attributes.wholes("dilations", {1, 1});
    const Geometry geometry = geometryOf(conversion, kernel, dilation, true);
    const bool hasBias = conversion.hasInput(2);
    LayerRequest request{.kind = "conv2d",
                         .attributes = {{"filters", weight->shape[0]},
                                        {"kernel", geometry.kernel},
                                        {"bias", hasBias}},
                         .inputs = {{"x", conversion.computedInput(0)}},
                         .parameters = {{"weight", weight}},
                         .name = conversion.node().input(1)};
    if (geometry.stride != Shape{1, 1}) {
        request.attributes.set("stride", geometry.stride);
    }
    if (dilation != Shape{1, 1}) {
        request.attributes.set("dilation", dilation);
    }
    if (geometry.isSame) {
        request.attributes.set("pad", std::string("same"));
    } else if (geometry.padding != Shape{0, 0}) {
        request.attributes.set("padding", geometry.padding);
    }
    if (const std::int64_t groups = attributes.whole("group", 1); groups != 1) {
        if (groups < 1) {
            throw Refusal("its number of groups is not positive");
        }
        request.attributes.set("groups", groups);
    }
    if (hasBias) {
        request.parameters.emplace_back("bias", conversion.constantInput(2));
    }
    conversion.makeLayer(std::move(request));
}

namespace {

Attributes poolAttributes(NodeConversion& conversion) {
    requirePicture(conversion);
    AttributeReader& attributes = conversion.attributes;
    if (attributes.wholes("dilations", {1, 1}) != Shape{1, 1}) {
        throw Refusal("its dilations are not 1; poolings of Weft have none");
    }
    const Geometry geometry =
        geometryOf(conversion, attributes.wholes("kernel_shape"), {1, 1}, false);
    Attributes made = {{"kernel", geometry.kernel}, {"stride", geometry.stride}};
    if (geometry.padding != Shape{0, 0}) {
        made.set("padding", geometry.padding);
    }
    if (attributes.whole("ceil_mode", 0) != 0) {
        made.set("ceil", true);
    }
    return made;
}

} // namespace

void convertMaxPool(NodeConversion& conversion) {
    conversion.attributes.skip(
        "storage_order"); // only affects the second output, which is not imported
    conversion.makeLayer({.kind = "max_pool2d",
                          .attributes = poolAttributes(conversion),
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertAveragePool(NodeConversion& conversion) {
    Attributes made = poolAttributes(conversion);
    made.set("count_include_pad", conversion.attributes.whole("count_include_pad", 0) != 0);
    conversion.makeLayer({.kind = "average_pool2d",
                          .attributes = std::move(made),
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

namespace {

void poolEverything(NodeConversion& conversion, const char* kind) {
    const ConvertedValue& x = conversion.computedInput(0);
    const Shape kernel{x.rest[1], x.rest[2]};
    conversion.addNote("as a window over all rows and columns of this size");
    conversion.makeLayer({.kind = kind,
                          .attributes = {{"kernel", kernel}, {"stride", kernel}},
                          .inputs = {{"x", x}}});
}

/// Makes the mean over rows and columns: [batch, channels], or [batch, channels, 1, 1] if a reader
/// needs four dims.
void convertGlobalMean(NodeConversion& conversion, bool keepsDims) {
    requirePicture(conversion);
    const ConvertedValue& x = conversion.computedInput(0);
    const std::vector<std::string> readers =
        conversion.maker().readingOps(conversion.node().outputs.front());
    const bool flattens =
        !keepsDims || (!readers.empty() && std::ranges::all_of(readers, [](const auto& op) {
            return op == "Flatten" || op == "Reshape" || op == "Squeeze";
        }));
    if (flattens) {
        conversion.makeLayer({.kind = "global_average_pool", .inputs = {{"x", x}}});
        if (keepsDims) {
            conversion.markFlattened({x.rest[0], 1, 1});
        }
        return;
    }
    poolEverything(conversion, "average_pool2d");
}

} // namespace

void convertGlobalMaxPool(NodeConversion& conversion) {
    requirePicture(conversion);
    poolEverything(conversion, "max_pool2d");
}

void convertGlobalAveragePool(NodeConversion& conversion) { convertGlobalMean(conversion, true); }

namespace {

/// Returns the axes that a reduction names, in ascending order, without the batch.
Shape reducedAxes(NodeConversion& conversion, std::int64_t sinceInput) {
    Shape axes = conversion.attributes.wholes("axes");
    if (conversion.opset() >= sinceInput && conversion.hasInput(1)) {
        axes = conversion.constantIntegers(1)[0];
    }
    const bool isNoop = conversion.attributes.whole("noop_with_empty_axes", 0) != 0;
    if (axes.empty() && isNoop) {
        throw Refusal("reduces no dims");
    }
    for (std::int64_t& axis : axes) {
        axis = static_cast<std::int64_t>(axisFromFront(axis, conversion.inputRank(0)));
    }
    std::ranges::sort(axes);
    if (axes.empty() || axes.front() == 0) {
        throw Refusal("reduces the batch, which no layer does");
    }
    return axes;
}

void reduce(NodeConversion& conversion, const char* kind, const Shape& axes) {
    conversion.makeLayer(
        {.kind = kind,
         .attributes = {{"dims", axes},
                        {"keepdims", conversion.attributes.whole("keepdims", 1) != 0}},
         .inputs = {{"x", conversion.computedInput(0)}}});
}

} // namespace

void convertReduceMean(NodeConversion& conversion) {
    const Shape axes = reducedAxes(conversion, 18);
    if (conversion.inputRank(0) == 4 && axes == Shape{2, 3}) {
        convertGlobalMean(conversion, conversion.attributes.whole("keepdims", 1) != 0);
    } else {
        reduce(conversion, "reduce_mean", axes);
    }
}

void convertReduceSum(NodeConversion& conversion) {
    reduce(conversion, "reduce_sum", reducedAxes(conversion, 13));
}

void convertReduce(NodeConversion& conversion) {
    static constexpr std::pair<std::string_view, const char*> kinds[] = {
        {"ReduceMax", "reduce_max"},   {"ReduceMin", "reduce_min"},
        {"ReduceProd", "reduce_prod"}, {"ReduceL1", "reduce_l1"},
        {"ReduceL2", "reduce_l2"},     {"ReduceLogSumExp", "reduce_log_sum_exp"}};
    for (const auto& [op, kind] : kinds) {
        if (conversion.node().op == op) {
            reduce(conversion, kind, reducedAxes(conversion, 18));
        }
    }
}

} // namespace weft::onnx
