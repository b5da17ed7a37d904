// SPDX-License-Identifier: Apache-2.0
// Sums, differences, products, quotients and others of two operands, element by element.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::onnx {

namespace {

/// Layers align operands from the last dim, as ONNX does, but after the batch.
void requireEqualRanks(const NodeConversion& conversion) {
    for (std::size_t k = 1; k < conversion.inputCount(); ++k) {
        if (conversion.inputRank(k) != conversion.inputRank(0)) {
            throw Refusal(fmt::format("its operands {} and {} have different numbers of dims, and "
                                      "the batch is not repeated",
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

    [[nodiscard]] bool isNumber() const { return constant->size() == 1; }
    [[nodiscard]] bool is(double number) const { return isNumber() && constant->real(0) == number; }
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

void passThrough(NodeConversion& conversion, const WithConstant& given, const std::string& kind) {
    conversion.makeLayer({.kind = kind, .inputs = {{"x", given.x}}});
}

/// Makes a layer of two operands a and b, one of which is a number.
void makeWithNumber(NodeConversion& conversion, const WithConstant& given, const char* kind) {
    conversion.makeLayer({.kind = kind,
                          .attributes = {{"number", std::vector{given.constant->real(0)}}},
                          .inputs = {{given.at == 0 ? "b" : "a", given.x}}});
}

void makePair(NodeConversion& conversion, const char* kind) {
    requireEqualRanks(conversion);
    conversion.makeLayer(
        {.kind = kind,
         .inputs = {{"a", conversion.computedInput(0)}, {"b", conversion.computedInput(1)}}});
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
        if (given->isNumber()) {
            conversion.makeLayer({.kind = "add",
                                  .attributes = {{"number", given->constant->real(0)}},
                                  .inputs = {{"x0", given->x}}});
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
    requireEqualRanks(conversion);
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
        if (given->isNumber()) {
            makeWithNumber(conversion, *given, "subtract");
            return;
        }
        std::vector<float> numbers = perChannel(conversion, *given);
        const bool isFirst = given->at == 0; // c - x
        std::vector<float> scales(numbers.size(), isFirst ? -1.0F : 1.0F);
        makePerChannel(conversion, *given, std::move(scales),
                       isFirst ? numbers : mapped(numbers, [](float x) { return -x; }));
        return;
    }
    makePair(conversion, "subtract");
}

void convertMul(NodeConversion& conversion) {
    if (const std::optional<WithConstant> given = withConstant(conversion)) {
        if (given->is(-1)) {
            passThrough(conversion, *given, "neg");
            return;
        }
        if (given->isNumber()) {
            makeWithNumber(conversion, *given, "multiply");
            return;
        }
        makePerChannel(conversion, *given, perChannel(conversion, *given), {});
        return;
    }
    makePair(conversion, "multiply");
}

void convertDiv(NodeConversion& conversion) {
    if (const std::optional<WithConstant> given = withConstant(conversion)) {
        if (given->at == 0 && given->is(1)) {
            passThrough(conversion, *given, "reciprocal");
            return;
        }
        if (given->isNumber()) {
            makeWithNumber(conversion, *given, "divide");
            return;
        }
        if (given->at == 0) {
            throw Refusal("divides a constant of many numbers by a value; Weft has no layer for "
                          "it");
        }
        makePerChannel(conversion, *given,
                       mapped(perChannel(conversion, *given), [](float x) { return 1 / x; }), {});
        return;
    }
    makePair(conversion, "divide");
}

void convertPow(NodeConversion& conversion) {
    const std::optional<WithConstant> given = withConstant(conversion);
    if (!given) {
        makePair(conversion, "pow");
    } else if (!given->isNumber()) {
        throw Refusal("its constants differ from element to element; the layer pow takes one "
                      "number, or two values");
    } else if (given->at == 0) {
        makeWithNumber(conversion, *given, "pow");
    } else {
        conversion.makeLayer({.kind = "power",
                              .attributes = {{"exponent", given->constant->real(0)}},
                              .inputs = {{"x", given->x}}});
    }
}

namespace {

/// Converts an operator whose constant operand may only be a number.
void convertPair(NodeConversion& conversion, const char* kind) {
    const std::optional<WithConstant> given = withConstant(conversion);
    if (!given) {
        if (conversion.inputCount() != 2) {
            throw Refusal(fmt::format("has {} operands; expected 2", conversion.inputCount()));
        }
        makePair(conversion, kind);
        return;
    }
    if (!given->isNumber()) {
        throw Refusal(fmt::format("combines a value with a constant of shape {}; only a number is "
                                  "imported",
                                  toString(given->constant->shape)));
    }
    makeWithNumber(conversion, *given, kind);
}

/// The largest or smallest of any number of operands, one after the other.
void convertExtreme(NodeConversion& conversion, const char* kind) {
    if (conversion.inputCount() == 1) {
        conversion.passInput("has one operand");
        return;
    }
    if (conversion.inputCount() == 2) {
        convertPair(conversion, kind);
        return;
    }
    requireEqualRanks(conversion);
    ConvertedValue extreme = conversion.computedInput(0);
    for (std::size_t k = 1; k + 1 < conversion.inputCount(); ++k) {
        Node node = conversion.node();
        node.name += fmt::format("{}{}{}", node.name.empty() ? "" : "/", kind, k);
        extreme = conversion.maker()
                      .make(node, {.kind = kind,
                                   .inputs = {{"a", extreme}, {"b", conversion.computedInput(k)}}})
                      .front();
    }
    conversion.addNote("compares its operands one after the other");
    conversion.makeLayer(
        {.kind = kind,
         .inputs = {{"a", extreme}, {"b", conversion.computedInput(conversion.inputCount() - 1)}}});
}

} // namespace

void convertMax(NodeConversion& conversion) { convertExtreme(conversion, "maximum"); }
void convertMin(NodeConversion& conversion) { convertExtreme(conversion, "minimum"); }
void convertEqual(NodeConversion& conversion) { convertPair(conversion, "equal"); }
void convertLess(NodeConversion& conversion) { convertPair(conversion, "less"); }
void convertGreater(NodeConversion& conversion) { convertPair(conversion, "greater"); }
void convertAnd(NodeConversion& conversion) { makePair(conversion, "and"); }
void convertOr(NodeConversion& conversion) { makePair(conversion, "or"); }

void convertNot(NodeConversion& conversion) {
    conversion.makeLayer({.kind = "not", .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertWhere(NodeConversion& conversion) {
    LayerRequest request{.kind = "where", .inputs = {{"condition", conversion.computedInput(0)}}};
    const std::size_t rank = conversion.inputRank(0);
    bool hasNumber = false;
    for (const std::size_t k : {1U, 2U}) {
        if (!conversion.isConstant(k)) {
            if (conversion.inputRank(k) != rank) {
                throw Refusal("its operands have different numbers of dims, and the batch is not "
                              "repeated");
            }
            request.inputs.emplace_back(k == 1 ? "a" : "b", conversion.computedInput(k));
            continue;
        }
        const TensorPointer constant = conversion.constantInput(k);
        if (!constant->isReal() || constant->size() != 1 || hasNumber) {
            throw Refusal("only one of its values may be constant, and only a number");
        }
        request.attributes.set("number", std::vector{constant->real(0)});
        hasNumber = true;
    }
    conversion.makeLayer(std::move(request));
}

} // namespace weft::onnx
