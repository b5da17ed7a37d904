// SPDX-License-Identifier: Apache-2.0
// Normalizations and all operators with one operand.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>

namespace weft::onnx {

void convertBatchNormalization(NodeConversion& conversion) {
    AttributeReader& attributes = conversion.attributes;
    attributes.expect("training_mode", 0);
    attributes.expect("spatial", 1);
    if (conversion.opset() < 7) {
        attributes.skip("is_test"); // without effect: the model is imported for inference
        attributes.skip("consumed_inputs");
    }
    LayerRequest request{.kind = "batch_norm",
                         .attributes = {{"epsilon", attributes.real("epsilon", 1e-5)},
                                        {"momentum", 1 - attributes.real("momentum", 0.9)}},
                         .inputs = {{"x", conversion.computedInput(0)}},
                         .name = conversion.node().input(1)};
    constexpr std::array names = {"weight", "bias", "running_mean", "running_var"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        request.parameters.emplace_back(names[k], conversion.constantInput(k + 1));
    }
    conversion.makeLayer(std::move(request));
}

void convertLayerNormalization(NodeConversion& conversion) {
    AttributeReader& attributes = conversion.attributes;
    attributes.expect("stash_type", 1);
    const std::size_t axis = axisFromFront(attributes.whole("axis", -1), conversion.inputRank(0));
    if (axis + 1 != conversion.inputRank(0) || axis == 0) {
        throw Refusal(fmt::format("it normalizes {} from axis {} on; only the last axis is "
                                  "imported",
                                  toString(conversion.inputShapes(0)[0]), axis));
    }
    const std::int64_t features = conversion.computedInput(0).rest.back();
    const auto filled = [&](float number) {
        const auto count = static_cast<std::size_t>(features);
        conversion.maker().takeFromBudget(conversion.node(), count);
        return floatTensor({features}, std::vector<float>(count, number));
    };
    const TensorPointer scale = conversion.hasInput(1) ? conversion.constantInput(1) : filled(1);
    const TensorPointer shift = conversion.hasInput(2) ? conversion.constantInput(2) : filled(0);
    conversion.makeLayer({.kind = "layer_norm",
                          .attributes = {{"epsilon", attributes.real("epsilon", 1e-5)}},
                          .inputs = {{"x", conversion.computedInput(0)}},
                          .parameters = {{"weight", scale}, {"bias", shift}},
                          .name = conversion.node().input(1)});
}

void convertPRelu(NodeConversion& conversion) {
    const TensorPointer slope = conversion.constantInput(1);
    const auto withoutLeadingOnes = [](Shape shape) {
        shape.erase(shape.begin(),
                    std::ranges::find_if(shape, [](std::int64_t dim) { return dim != 1; }));
        return shape;
    };
    // Slopes are broadcast along the last dims of x; before opset 7 along its channels.
    Shape perChannel = conversion.inputShapes(0)[0];
    for (std::size_t dim = 0; dim < perChannel.size(); ++dim) {
        perChannel[dim] = dim == 1 ? perChannel[dim] : 1;
    }
    Shape given = slope->shape;
    if (conversion.opset() < 7 && given.size() == 1 && perChannel.size() > 2) {
        given.resize(perChannel.size() - 1, 1);
    }
    const bool isPerChannel = slope->size() != 1;
    if (isPerChannel && withoutLeadingOnes(given) != withoutLeadingOnes(perChannel)) {
        throw Refusal(fmt::format("its slopes have the shape {}; Weft's prelu has one slope, or "
                                  "one for each channel",
                                  toString(slope->shape)));
    }
    std::vector<float> slopes;
    for (std::size_t k = 0; k < slope->size(); ++k) {
        slopes.push_back(static_cast<float>(slope->real(k)));
    }
    const auto count = static_cast<std::int64_t>(slopes.size());
    conversion.makeLayer({.kind = "prelu",
                          .attributes = {{"per_channel", isPerChannel}},
                          .inputs = {{"x", conversion.computedInput(0)}},
                          .parameters = {{"weight", floatTensor({count}, std::move(slopes))}},
                          .name = conversion.node().input(1)});
}

void convertSoftmax(NodeConversion& conversion) {
    // Before opset 13, softmax treats all dims from the axis on as one dim.
    const bool isOld = conversion.opset() < 13;
    const std::size_t rank = conversion.inputRank(0);
    const std::size_t axis =
        axisFromFront(conversion.attributes.whole("axis", isOld ? 1 : -1), rank);
    const Shape& rest = conversion.computedInput(0).rest;
    const bool isLast = axis + 1 == rank ||
                        (isOld && axis > 0 &&
                         std::all_of(rest.begin() + static_cast<std::ptrdiff_t>(axis) - 1,
                                     rest.end() - 1, [](std::int64_t dim) { return dim == 1; }));
    if (!isLast || axis == 0) {
        throw Refusal(fmt::format("runs over axis {} of {}; Weft's softmax runs over the last dim",
                                  axis, toString(conversion.inputShapes(0)[0])));
    }
    conversion.makeLayer({.kind = "softmax", .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertDropout(NodeConversion& conversion) {
    double rate = 0.5;
    if (conversion.opset() < 12) {
        rate = conversion.attributes.real("ratio", 0.5);
        conversion.attributes.skip("is_test");
    } else if (conversion.hasInput(1) && conversion.constantInput(1)->size() == 1) {
        rate = conversion.constantInput(1)->real(0);
    }
    if (conversion.hasInput(2) &&
        (conversion.constantInput(2)->size() != 1 || conversion.constantInput(2)->real(0) != 0)) {
        throw Refusal("its training_mode is on: export the model in evaluation mode");
    }
    conversion.attributes.skip("seed");
    conversion.makeLayer({.kind = "dropout",
                          .attributes = {{"rate", rate}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

namespace {

/// An attribute of an operator that becomes a layer kind with one input.
struct UnaryAttribute {
    std::string_view op, name;
    double fallback;
    std::string_view own = {}; ///< the layer's attribute; empty: the layer always uses `fallback`
};

constexpr std::array unaryAttributes = std::to_array<UnaryAttribute>({
    {"LeakyRelu", "alpha", 0.01, "negative_slope"},
    {"Elu", "alpha", 1, "alpha"},
    {"Selu", "alpha", 1.67326319217681884765625},
    {"Selu", "gamma", 1.05070102214813232421875},
    {"Swish", "alpha", 1},
    {"HardSigmoid", "alpha", 0.2, "alpha"},
    {"HardSigmoid", "beta", 0.5, "beta"},
});

bool hasOneInput(const LayerKind& kind) {
    return kind.info.inputs.size() == 1 && !kind.info.inputs.front().variadic &&
           kind.info.outputs.size() == 1 && kind.info.parameters.empty();
}

/// Reads the bounds of Clip: attributes before opset 11, inputs from then on.
void setBounds(NodeConversion& conversion, Attributes& made) {
    constexpr std::array<const char*, 2> names = {"min", "max"};
    constexpr std::array<double, 2> open = {-FLT_MAX, FLT_MAX};
    for (std::size_t k = 0; k < 2; ++k) {
        double bound = conversion.attributes.real(names[k], open[k]);
        if (conversion.hasInput(k + 1)) {
            const TensorPointer given = conversion.constantInput(k + 1);
            if (given->size() != 1) {
                throw Refusal("its bounds are not single numbers");
            }
            bound = given->real(0);
        }
        made.set(names[k], bound);
    }
}

} // namespace

const LayerKind* unaryKindOf(std::string_view op, const LayerMaker& maker) {
    for (const LayerKind* kind : maker.layers().all()) {
        const Op* own = maker.ops().find(kind->info.kind);
        if (own != nullptr && own->onnx == op && own->inputs.size() == 1 && hasOneInput(*kind)) {
            return kind;
        }
    }
    return nullptr;
}

void convertUnary(NodeConversion& conversion) {
    const std::string& op = conversion.node().op;
    const LayerKind* kind = unaryKindOf(op, conversion.maker());
    if (kind == nullptr) {
        throw Refusal(whyUnsupported(conversion.node()));
    }
    Attributes made;
    for (const UnaryAttribute& row : unaryAttributes) {
        if (row.op != op) {
            continue;
        }
        const double given = conversion.attributes.real(row.name, row.fallback);
        if (!row.own.empty()) {
            made.set(std::string(row.own), given);
        } else if (static_cast<float>(given) != static_cast<float>(row.fallback)) {
            throw Refusal(fmt::format("its {} is {}, which the layer {} cannot have", row.name,
                                      given, kind->info.kind));
        }
    }
    std::size_t inputs = 1;
    if (op == "Clip") {
        setBounds(conversion, made);
        inputs = 3;
    } else if (op == "Gelu") {
        const std::string approximate = conversion.attributes.text("approximate", "none");
        if (approximate != "none") {
            throw Refusal(fmt::format("approximates by {}; Weft's gelu is exact", approximate));
        }
    }
    if (conversion.inputCount() > inputs) {
        throw Refusal(fmt::format("has {} inputs; the layer {} has one", conversion.inputCount(),
                                  kind->info.kind));
    }
    conversion.makeLayer(
        {.kind = kind->info.kind,
         .attributes = std::move(made),
         .inputs = {{kind->info.inputs.front().name, conversion.computedInput(0)}}});
    if (conversion.result().rest != conversion.computedInput(0).rest) {
        throw Refusal(fmt::format("the layer {} changes the shape", kind->info.kind));
    }
}

} // namespace weft::onnx
