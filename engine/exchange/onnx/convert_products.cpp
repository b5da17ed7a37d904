// SPDX-License-Identifier: Apache-2.0
// Products with matrices, and lookups.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::onnx {

namespace {

TensorPointer times(const TensorPointer& tensor, double factor) {
    if (factor == 1) {
        return tensor;
    }
    Tensor made = *tensor;
    std::ranges::transform(made.reals, made.reals.begin(), [&](float x) {
        return static_cast<float>(static_cast<double>(x) * factor);
    });
    return std::make_shared<const Tensor>(std::move(made));
}

/// Returns a constant input as the weight [units, features] of a dense layer.
TensorPointer matrix(const NodeConversion& conversion, std::size_t input, bool isTransposed) {
    TensorPointer weight = conversion.constantInput(input);
    if (weight->shape.size() != 2 || !weight->isReal()) {
        throw Refusal(fmt::format("its weight is {}; a dense layer has a matrix of numbers",
                                  toString(weight->shape)));
    }
    return isTransposed ? weight : std::make_shared<const Tensor>(transposedMatrix(*weight));
}

/// Returns the bias, input 2, with one number per unit: a single number is repeated.
TensorPointer biasOf(const NodeConversion& conversion, std::int64_t units) {
    const TensorPointer given = conversion.constantInput(2);
    const auto count = static_cast<std::int64_t>(given->size());
    const bool isRow =
        count == 1 || (count == units && !given->shape.empty() && given->shape.back() == units);
    if (!given->isReal() || !isRow) {
        throw Refusal(fmt::format("its bias is {}; a dense layer with {} units has one number for "
                                  "each",
                                  toString(given->shape), units));
    }
    if (count == units) {
        return floatTensor({units}, given->reals);
    }
    const auto wanted = static_cast<std::size_t>(units);
    conversion.maker().takeFromBudget(conversion.node(), wanted);
    return floatTensor({units}, std::vector<float>(wanted, given->reals.front()));
}

void makeDense(NodeConversion& conversion, const TensorPointer& weight, const TensorPointer& bias) {
    LayerRequest request{.kind = "dense",
                         .attributes = {{"units", weight->shape[0]}, {"bias", bias != nullptr}},
                         .inputs = {{"x", conversion.computedInput(0)}},
                         .parameters = {{"weight", weight}},
                         .name = conversion.node().input(1)};
    if (bias != nullptr) {
        request.parameters.emplace_back("bias", bias);
    }
    conversion.makeLayer(std::move(request));
}

} // namespace

void convertGemm(NodeConversion& conversion) {
    AttributeReader& attributes = conversion.attributes;
    attributes.expect("transA", 0);
    conversion.attributes.skip("broadcast"); // only before opset 7; Weft always broadcasts the bias
    const double alpha = attributes.real("alpha", 1);
    const double beta = attributes.real("beta", 1);
    const TensorPointer weight =
        times(matrix(conversion, 1, attributes.whole("transB", 0) != 0), alpha);
    TensorPointer bias;
    if (conversion.hasInput(2) && beta != 0) {
        bias = times(biasOf(conversion, weight->shape[0]), beta);
    }
    if (conversion.inputRank(0) != 2) {
        throw Refusal("its input is not [batch, features]");
    }
    if (alpha != 1 || (bias != nullptr && beta != 1)) {
        conversion.addNote(
            fmt::format("alpha {} and beta {} are multiplied into the weights", alpha, beta));
    }
    makeDense(conversion, weight, bias);
}

void convertMatMul(NodeConversion& conversion) {
    if (!conversion.isConstant(0) && !conversion.isConstant(1)) {
        throw Refusal("multiplies two matrices that the model computes; Weft has no layer for it");
    }
    const TensorPointer weight = matrix(conversion, 1, false);
    if (conversion.inputRank(0) < 2) {
        throw Refusal("its input has no dim of features");
    }
    makeDense(conversion, weight,
              conversion.hasInput(2) ? biasOf(conversion, weight->shape[0]) : nullptr);
}

void convertGather(NodeConversion& conversion) {
    if (!conversion.isConstant(0)) {
        throw Refusal("picks parts of a value that the model computes; Weft has no layer for it");
    }
    const TensorPointer table = conversion.constantInput(0);
    conversion.attributes.expect("axis", 0);
    if (table->shape.size() != 2 || !table->isReal()) {
        throw Refusal(fmt::format("its table is {}; an embedding has [rows, features]",
                                  toString(table->shape)));
    }
    conversion.addNote("a negative id counts from the end in ONNX, and is an error in Weft");
    conversion.makeLayer({.kind = "embedding",
                          .attributes = {{"rows", table->shape[0]}, {"features", table->shape[1]}},
                          .inputs = {{"ids", conversion.computedInput(1)}},
                          .parameters = {{"weight", table}},
                          .name = conversion.node().input(0)});
}

} // namespace weft::onnx
