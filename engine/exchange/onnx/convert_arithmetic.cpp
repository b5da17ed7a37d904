// SPDX-License-Identifier: Apache-2.0
// Sums, differences, products and quotients, element by element.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::onnx {

namespace {

void requireAlike(const NodeConversion& conversion) {
    for (std::size_t k = 1; k < conversion.inputCount(); ++k) {
        if (conversion.computedInput(k).rest != conversion.computedInput(0).rest) {
            throw Refusal(fmt::format("its operands {} and {} differ in shape; only equal shapes "
                                      "are imported",
                                      toString(conversion.inputShapes(0)[0]),
                                      toString(conversion.inputShapes(k)[0])));
        }
    }
}

/// Two operands, one of which is constant.
struct WithConstant {
    const ConvertedValue& x;
    std::size_t at; ///< index of the constant input
    TensorPointer constant;
    Shape shape; ///< shape of the constant, extended by dims of size 1 to the rank of x

    [[nodiscard]] bool is(double number) const {
        return constant->size() == 1 && constant->real(0) == number;
    }
};

/// Returns a constant's shape, extended by dims of size 1 to the rank of the other operand.
Shape alignedShape(NodeConversion& conversion, const Shape& given, std::size_t rank) {
    Shape shape = given;
    auto begin = static_cast<std::int64_t>(rank) - static_cast<std::int64_t>(given.size());
    if (conversion.opset() < 7) { // the attribute: dim of the operand where the constant begins
        begin = conversion.attributes.whole("axis", begin);
    }
    const std::size_t first = given.size() == rank ? 0 : axisFromFront(begin, rank + 1);
    if (first + given.size() > rank) {
        throw Refusal(fmt::format("its constant of shape {} has more dims than its other operand",
                                  toString(given)));
    }
    shape.insert(shape.begin(), first, 1);
    shape.resize(rank, 1);
    return shape;
}

/// Returns the two operands; nothing if neither is constant.
std::optional<WithConstant> withConstant(NodeConversion& conversion) {
    if (conversion.opset() < 7) {
        conversion.attributes.skip("broadcast");
        conversion.attributes.skip("axis");
    }
    if (conversion.inputCount() != 2 || !(conversion.isConstant(0) || conversion.isConstant(1))) {
        return {};
    }
    const std::size_t at = conversion.isConstant(0) ? 0 : 1;
    const ConvertedValue& x = conversion.computedInput(1 - at);
    TensorPointer constant = conversion.constantInput(at);
    if (!constant->isReal() || !isFloating(x.dtype)) {
        throw Refusal("computes with whole numbers; Weft has no layer for it");
    }
    Shape shape = alignedShape(conversion, constant->shape, conversion.inputRank(1 - at));
    return WithConstant{x, at, std::move(constant), std::move(shape)};
}

/// Makes a depthwise 1x1 convolution that computes scale x + shift, with one scale and one shift
/// for each channel. No shifts: no bias.
void makePerChannel(NodeConversion& conversion, const WithConstant& given,
                    std::vector<float> scales, std::vector<float> shifts) {
    const std::int64_t channels = given.x.rest[0];
    LayerRequest request{
        .kind = "conv2d",
        .attributes = {{"filters", channels},
                       {"kernel", Shape{1, 1}},
                       {"groups", channels},
                       {"bias", !shifts.empty()}},
        .inputs = {{"x", given.x}},
        .parameters = {{"weight", floatTensor({channels, 1, 1, 1}, std::move(scales))}},
        .name = conversion.node().input(given.at)};
    if (!shifts.empty()) {
        request.parameters.emplace_back("bias", floatTensor({channels}, std::move(shifts)));
    }
    conversion.addNote("as a convolution of each channel on its own, with one weight for each");
    conversion.makeLayer(std::move(request));
}

/// Returns the constant as a number for each channel. Throws Refusal if it has another shape, or x
/// is not [batch, channels, rows, columns].
std::vector<float> perChannel(const NodeConversion& conversion, const WithConstant& given) {
    const Shape& shape = given.shape;
    const bool fits = shape.size() == 4 && shape[0] == 1 && shape[2] == 1 && shape[3] == 1 &&
                      (shape[1] == 1 || shape[1] == given.x.rest[0]);
    if (!fits) {
        throw Refusal(fmt::format("combines a constant of shape {} with {}; only a number for each "
                                  "channel of [batch, channels, rows, columns] is imported",
                                  toString(given.constant->shape),
                                  toString(given.x.shape(batches[0]))));
    }
    const auto channels = static_cast<std::size_t>(given.x.rest[0]);
    conversion.maker().takeFromBudget(conversion.node(), channels);
    return given.constant->size() == 1 ? std::vector<float>(channels, given.constant->reals[0])
                                       : given.constant->reals;
}

/// Makes an additional layer that applies `kind` to input `at`, and returns its output.
ConvertedValue inner(const NodeConversion& conversion, std::size_t at, const std::string& kind) {
    Node node = conversion.node();
    node.name += node.name.empty() ? kind : "/" + kind;
    return conversion.maker().make(node,
                                   {.kind = kind, .inputs = {{"x", conversion.computedInput(at)}}});
}

void passThrough(NodeConversion& conversion, const WithConstant& given, const std::string& kind) {
    conversion.makeLayer({.kind = kind, .inputs = {{"x", given.x}}});
}

std::vector<float> mapped(std::vector<float> numbers, float (*of)(float)) {
    std::ranges::transform(numbers, numbers.begin(), of);
    return numbers;
}

} // namespace

void convertAdd(NodeConversion& conversion) {
    if (const std::optional<WithConstant> given = withConstant(conversion)) {
        const Shape& rest = given->x.rest;
        const Shape& shape = given->shape;
        if (rest.size() == 2 && shape[0] == 1 && Shape(shape.begin() + 1, shape.end()) == rest) {
            conversion.makeLayer(
                {.kind = "position_embedding",
                 .attributes = {{"length", rest[0]}},
                 .inputs = {{"x", given->x}},
                 .parameters = {{"weight", floatTensor(rest, given->constant->reals)}},
                 .name = conversion.node().input(given->at)});
            return;
        }
        std::vector<float> shifts = perChannel(conversion, *given);
        makePerChannel(conversion, *given, std::vector<float>(shifts.size(), 1), shifts);
        return;
    }
    if (conversion.inputCount() == 1) {
        conversion.passInput("is a sum of one value");
        return;
    }
    requireAlike(conversion);
    LayerRequest request{.kind = "add"};
    for (std::size_t k = 0; k < conversion.inputCount(); ++k) {
        request.inputs.emplace_back(fmt::format("x{}", k), conversion.computedInput(k));
    }
    conversion.makeLayer(std::move(request));
}

void convertSub(NodeConversion& conversion) {
    if (const std::optional<WithConstant> given = withConstant(conversion)) {
        if (given->at == 0 && given->is(0)) {
            passThrough(conversion, *given, "neg");
            return;
        }
        std::vector<float> numbers = perChannel(conversion, *given);
        const bool isFirst = given->at == 0; // c - x
        std::vector<float> scales(numbers.size(), isFirst ? -1.0F : 1.0F);
        makePerChannel(conversion, *given, std::move(scales),
                       isFirst ? numbers : mapped(numbers, [](float x) { return -x; }));
        return;
    }
    requireAlike(conversion);
    conversion.addNote("adds the negated second operand");
    conversion.makeLayer(
        {.kind = "add",
         .inputs = {{"x0", conversion.computedInput(0)}, {"x1", inner(conversion, 1, "neg")}}});
}

void convertMul(NodeConversion& conversion) {
    if (const std::optional<WithConstant> given = withConstant(conversion)) {
        if (given->is(-1)) {
            passThrough(conversion, *given, "neg");
            return;
        }
        makePerChannel(conversion, *given, perChannel(conversion, *given), {});
        return;
    }
    requireAlike(conversion);
    conversion.makeLayer(
        {.kind = "multiply",
         .inputs = {{"a", conversion.computedInput(0)}, {"b", conversion.computedInput(1)}}});
}

void convertDiv(NodeConversion& conversion) {
    if (const std::optional<WithConstant> given = withConstant(conversion)) {
        if (given->at == 0) {
            if (!given->is(1)) {
                throw Refusal(
                    "divides a constant other than 1 by a value; Weft has no layer for it");
            }
            passThrough(conversion, *given, "reciprocal");
            return;
        }
        makePerChannel(conversion, *given,
                       mapped(perChannel(conversion, *given), [](float x) { return 1 / x; }), {});
        return;
    }
    requireAlike(conversion);
    conversion.addNote("multiplies by the reciprocal of the second operand");
    conversion.makeLayer({.kind = "multiply",
                          .inputs = {{"a", conversion.computedInput(0)},
                                     {"b", inner(conversion, 1, "reciprocal")}}});
}

void convertPow(NodeConversion& conversion) {
    if (conversion.opset() < 7) {
        conversion.attributes.skip("broadcast");
    }
    const TensorPointer exponent = conversion.constantInput(1);
    if (exponent->size() != 1 || exponent->shape.size() > conversion.inputRank(0)) {
        throw Refusal("its exponents differ; the layer power has one");
    }
    conversion.makeLayer({.kind = "power",
                          .attributes = {{"exponent", exponent->real(0)}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

} // namespace weft::onnx
