// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/convert.h"

#include "exchange/onnx/patterns.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::onnx {

namespace {

constexpr std::array rows = std::to_array<ConversionRow>({
    {"Conv", 1, convertConv},
    {"MaxPool", 1, convertMaxPool},
    {"AveragePool", 1, convertAveragePool},
    {"GlobalAveragePool", 1, convertGlobalAveragePool},
    {"GlobalMaxPool", 1, convertGlobalMaxPool},
    {"ReduceMean", 1, convertReduceMean},
    {"ReduceSum", 1, convertReduceSum},
    {"ReduceMax", 1, convertReduce},
    {"ReduceMin", 1, convertReduce},
    {"ReduceProd", 1, convertReduce},
    {"ReduceL1", 1, convertReduce},
    {"ReduceL2", 1, convertReduce},
    {"ReduceLogSumExp", 1, convertReduce},
    {"Gemm", 1, convertGemm},
    {"MatMul", 1, convertMatMul},
    {"Add", 1, convertAdd},
    {"Sum", 1, convertAdd},
    {"Sub", 1, convertSub},
    {"Mul", 1, convertMul},
    {"Div", 1, convertDiv},
    {"Pow", 1, convertPow},
    {"Max", 1, convertMax},
    {"Min", 1, convertMin},
    {"Equal", 1, convertEqual},
    {"Less", 1, convertLess},
    {"Greater", 1, convertGreater},
    {"And", 1, convertAnd},
    {"Or", 1, convertOr},
    {"Not", 1, convertNot},
    {"Where", 9, convertWhere},
    {"PRelu", 1, convertPRelu},
    {"Gather", 1, convertGather},
    {"BatchNormalization", 1, convertBatchNormalization},
    {"LayerNormalization", 17, convertLayerNormalization},
    {"Softmax", 1, convertSoftmax},
    {"Dropout", 1, convertDropout},
    {"Reshape", 1, convertReshape},
    {"Flatten", 1, convertFlatten},
    {"Squeeze", 1, convertSqueeze},
    {"Unsqueeze", 1, convertUnsqueeze},
    {"Transpose", 1, convertTranspose},
    {"DepthToSpace", 1, convertDepthToSpace},
    {"SpaceToDepth", 1, convertSpaceToDepth},
    {"Slice", 1, convertSlice},
    {"Split", 1, convertSplit},
    {"Pad", 1, convertPad},
    {"Expand", 8, convertExpand},
    {"Tile", 1, convertTile},
    {"Concat", 1, convertConcat},
    {"Identity", 1, convertIdentity},
    {"Cast", 1, convertCast},
    {"Gelu", 20, convertUnary},
    {"HardSwish", 14, convertUnary},
    {"Mish", 18, convertUnary},
    {"Swish", 24, convertUnary},
    {"Erf", 9, convertUnary},
});

struct Reason {
    std::string_view op, reason;
};
constexpr std::array reasons =
    std::to_array<Reason>({{"TopK", "sorts"},
                           {"Unique", "sorts"},
                           {"Loop", "repeats a graph of its own"},
                           {"Scan", "repeats a graph of its own"},
                           {"If", "chooses between graphs of its own"},
                           {"NonZero", "has a result whose size depends on the data"},
                           {"Compress", "has a result whose size depends on the data"},
                           {"NonMaxSuppression", "has a result whose size depends on the data"},
                           {"RandomNormal", "draws random numbers"},
                           {"RandomNormalLike", "draws random numbers"},
                           {"RandomUniform", "draws random numbers"},
                           {"RandomUniformLike", "draws random numbers"},
                           {"QuantizeLinear", "rounds to a few bits"},
                           {"DynamicQuantizeLinear", "rounds to a few bits"},
                           {"QLinearConv", "computes with a few bits"},
                           {"QLinearMatMul", "computes with a few bits"},
                           {"ConvInteger", "computes with a few bits"},
                           {"MatMulInteger", "computes with a few bits"}});

} // namespace

Shape ConvertedValue::shape(std::int64_t batch) const {
    Shape shape{batch};
    shape.insert(shape.end(), rest.begin(), rest.end());
    return shape;
}

const ConvertedValue& NodeConversion::computedInput(std::size_t k) const {
    if (!hasInput(k)) {
        throw Refusal(fmt::format("its input {} is missing", k));
    }
    if (inputs_[k]->isConstant()) {
        throw Refusal(fmt::format("its input {} ({}) is a constant, and no layer takes one there",
                                  k, node_.input(k)));
    }
    return *inputs_[k];
}

TensorPointer NodeConversion::constantInput(std::size_t k) const {
    if (!hasInput(k)) {
        throw Refusal(fmt::format("its input {} is missing", k));
    }
    const ConvertedValue& value = *inputs_[k];
    if (!value.isConstant()) {
        throw Refusal(fmt::format("its input {} ({}) is computed by the model; a layer needs a "
                                  "constant there",
                                  k, node_.input(k)));
    }
    maker_.takeFromBudget(node_, value.constants[0]->size());
    if (value.constants[0] != value.constants[1] && *value.constants[0] != *value.constants[1]) {
        throw Refusal(fmt::format("its input {} ({}) depends on the batch", k, node_.input(k)));
    }
    return value.constants[0];
}

ShapePerBatch NodeConversion::constantIntegers(std::size_t k) const {
    if (!hasInput(k) || !inputs_[k]->isConstant()) {
        throw Refusal(fmt::format("its input {} ({}) is computed by the model, so that shapes "
                                  "depend on the data",
                                  k, node_.input(k)));
    }
    if (inputs_[k]->constants[0]->isReal()) {
        throw Refusal(fmt::format("its input {} is not made of whole numbers", k));
    }
    maker_.takeFromBudget(node_, inputs_[k]->constants[0]->size());
    return {inputs_[k]->constants[0]->wholes, inputs_[k]->constants[1]->wholes};
}

ShapePerBatch NodeConversion::inputShapes(std::size_t k) const {
    const ConvertedValue& x = computedInput(k);
    return {x.shape(batches[0]), x.shape(batches[1])};
}

void NodeConversion::makeLayer(LayerRequest request) {
    refuseMoreOutputs();
    attributes.refuseUnread();
    layerKind_ = request.kind;
    results_.front() = maker_.make(node_, std::move(request)).front();
}

void NodeConversion::makeLayerWithOutputs(LayerRequest request) {
    attributes.refuseUnread();
    layerKind_ = request.kind;
    results_ = maker_.make(node_, std::move(request));
    ensure(results_.size() == node_.outputs.size(), "the layer has the outputs of the node");
}

void NodeConversion::passInput(std::string reason) {
    refuseMoreOutputs();
    attributes.refuseUnread();
    results_.front() = computedInput(0);
    passReason_ = std::move(reason);
}

void NodeConversion::markFlattened(Shape rest) {
    results_.front().rest = std::move(rest);
    results_.front().isFlattened = true;
}

void NodeConversion::passInputFlattened(std::string reason) {
    passInput(std::move(reason));
    results_.front().rest.resize(1);
    results_.front().isFlattened = false;
}

void NodeConversion::refuseMoreOutputs() const {
    for (std::size_t k = 1; k < node_.outputs.size(); ++k) {
        if (!node_.outputs[k].empty() && !maker_.readingOps(node_.outputs[k]).empty()) {
            throw Refusal(
                fmt::format("its output {} ({}) is read, which no layer has", k, node_.outputs[k]));
        }
    }
}

const ConversionRow* findConversion(const Node& node) {
    const auto found = std::ranges::find(rows, node.op, &ConversionRow::op);
    static constexpr ConversionRow unary{"", 1, convertUnary};
    return found != rows.end() ? &*found : &unary;
}

std::string whyUnsupported(const Node& node) {
    if (!node.domain.empty() && node.domain != recognisedDomain) {
        return fmt::format("is an operator of the domain {}, which only its own program knows",
                           node.domain);
    }
    const auto found = std::ranges::find(reasons, node.op, &Reason::op);
    return found != reasons.end() ? std::string(found->reason) : "Weft has no layer for it";
}

} // namespace weft::onnx
