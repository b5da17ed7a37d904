// SPDX-License-Identifier: Apache-2.0
// The table of conversions by layer kind. Functions of one operand, of two operands and reductions
// follow from their own tables.
#include "exchange/onnx/export/layer_export.h"
#include "exchange/onnx/node_reader.h"
#include "functions/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::onnx {

namespace {

struct ExportRow {
    std::string_view kind;
    void (*convert)(LayerExport&);
};

constexpr std::array exportRows = std::to_array<ExportRow>({
    {"add", exportAdd},
    {"attention", exportAttention},
    {"average_pool2d", exportAveragePool},
    {"batch_norm", exportBatchNorm},
    {"clip", exportClip},
    {"concat", exportConcat},
    {"conv2d", exportConv2d},
    {"dense", exportDense},
    {"dropout", exportDropout},
    {"embedding", exportEmbedding},
    {"flatten", exportFlatten},
    {"gelu", exportGelu},
    {"global_average_pool", exportGlobalAveragePool},
    {"layer_norm", exportLayerNorm},
    {"max_pool2d", exportMaxPool},
    {"mish", exportMish},
    {"not", exportNot},
    {"position_embedding", exportPositionEmbedding},
    {"power", exportPower},
    {"prelu", exportPrelu},
    {"silu", exportSilu},
    {"softmax", exportSoftmax},
    {"softplus", exportSoftplus},
    {"square", exportSquare},
    {"where", exportWhere},
});

/// An operator that reduces dims, whose axes are an input from some opset on.
struct ReductionRow {
    std::string_view kind, op;
    std::int64_t axesAreInputSince;
};

constexpr std::array reductionRows = std::to_array<ReductionRow>({
    {"reduce_sum", "ReduceSum", 13},
    {"reduce_mean", "ReduceMean", 18},
    {"reduce_max", "ReduceMax", 18},
    {"reduce_min", "ReduceMin", 18},
    {"reduce_prod", "ReduceProd", 18},
    {"reduce_l1", "ReduceL1", 18},
    {"reduce_l2", "ReduceL2", 18},
    {"reduce_log_sum_exp", "ReduceLogSumExp", 18},
});

void exportReduction(LayerExport& layer, const ReductionRow& row) {
    std::vector<std::string> inputs{layer.input("x")};
    std::vector<Attribute> attributes{
        attribute("keepdims", std::int64_t{layer.attributes().boolean("keepdims")})};
    const Shape dims = layer.attributes().integers("dims");
    if (layer.opset() >= row.axesAreInputSince) {
        inputs.push_back(layer.wholes(dims));
    } else {
        attributes.push_back(attribute("axes", dims));
    }
    layer.setResult(layer.node(std::string(row.op), std::move(inputs), std::move(attributes)));
}

/// Exports a function of one operand whose numbers are attributes of the operator.
void exportFunction(LayerExport& layer, const functions::Info& info) {
    std::vector<Attribute> attributes;
    for (std::size_t k = 0; k < info.count(); ++k) {
        const std::string name(info.numbers[k].name);
        attributes.push_back(
            attribute(name == "negative_slope" ? "alpha" : name, layer.attributes().real(name)));
    }
    layer.setResult(layer.node(std::string(info.onnx), {layer.input("x")}, std::move(attributes)));
}

/// Returns an operand of a layer of two: its wire, or the number that stands for it. A wire with
/// fewer dims gets dims of size 1 after the batch.
std::string operandOf(LayerExport& layer, const char* port, std::size_t rank) {
    if (!layer.has(port)) {
        return layer.number(layer.attributes().reals("number").front());
    }
    const std::size_t own = layer.shape(port).size();
    if (own == rank) {
        return layer.input(port);
    }
    Shape axes;
    for (std::size_t dim = 1; dim <= rank - own; ++dim) {
        axes.push_back(static_cast<std::int64_t>(dim));
    }
    return layer.node("Unsqueeze", {layer.input(port), layer.wholes(std::move(axes))});
}

constexpr std::int64_t floatElement = 1;
constexpr std::int64_t booleanElement = 9;

std::string cast(LayerExport& layer, const std::string& value, std::int64_t element) {
    return layer.node("Cast", {value}, {attribute("to", element)});
}

std::size_t largestRank(const LayerExport& layer) {
    std::size_t rank = 0;
    for (const LayerExport::Input& input : layer.inputs()) {
        rank = std::max(rank, input.shape.size());
    }
    return rank;
}

/// Exports a function of two operands. ONNX computes conditions as BOOL; Weft as 1 and 0.
void exportPair(LayerExport& layer, const functions::PairInfo& info) {
    std::vector<std::string> operands;
    for (const char* port : {"a", "b"}) {
        operands.push_back(operandOf(layer, port, largestRank(layer)));
        if (!info.takesNumber && info.isCondition) {
            operands.back() = cast(layer, operands.back(), booleanElement);
        }
    }
    const std::string y = layer.node(std::string(info.onnx), std::move(operands));
    layer.setResult(info.isCondition ? cast(layer, y, floatElement) : y);
}

const functions::Info* functionOf(std::string_view kind) {
    const functions::Info* found = nullptr;
    functions::All::forEach([&]<class Row>(Row) {
        found = Row::info.name == kind && !Row::info.onnx.empty() ? &Row::info : found;
    });
    return found;
}

const functions::PairInfo* pairOf(std::string_view kind) {
    const functions::PairInfo* found = nullptr;
    functions::Pairs::forEach([&]<class Row>(Row) {
        found = Row::pair.name == kind && !Row::pair.onnx.empty() ? &Row::pair : found;
    });
    return found;
}

} // namespace

void exportLayer(LayerExport& layer) {
    const std::string& kind = layer.kind();
    if (const auto row = std::ranges::find(exportRows, kind, &ExportRow::kind);
        row != exportRows.end()) {
        row->convert(layer);
    } else if (const auto reduction = std::ranges::find(reductionRows, kind, &ReductionRow::kind);
               reduction != reductionRows.end()) {
        exportReduction(layer, *reduction);
    } else if (const functions::Info* function = functionOf(kind)) {
        exportFunction(layer, *function);
    } else if (const functions::PairInfo* pair = pairOf(kind)) {
        exportPair(layer, *pair);
    } else {
        throw Refusal("ONNX has no operator for it");
    }
}

void exportAdd(LayerExport& layer) {
    std::vector<std::string> terms;
    for (const LayerExport::Input& input : layer.inputs()) {
        terms.push_back(operandOf(layer, input.port.c_str(), largestRank(layer)));
    }
    std::string sum = terms.front();
    if (terms.size() > 1) {
        sum = layer.node(terms.size() == 2 ? "Add" : "Sum", std::move(terms));
    }
    if (const double number = layer.attributes().real("number"); number != 0) {
        sum = layer.node("Add", {sum, layer.number(number)});
    }
    layer.setResult(sum);
}

void exportNot(LayerExport& layer) {
    const std::string condition = cast(layer, layer.input("x"), booleanElement);
    layer.setResult(cast(layer, layer.node("Not", {condition}), floatElement));
}

void exportWhere(LayerExport& layer) {
    const std::size_t rank = largestRank(layer);
    const std::string condition = cast(layer, operandOf(layer, "condition", rank), booleanElement);
    const std::string a = operandOf(layer, "a", rank);
    layer.setResult(layer.node("Where", {condition, a, operandOf(layer, "b", rank)}));
}

} // namespace weft::onnx
