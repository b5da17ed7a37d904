// SPDX-License-Identifier: Apache-2.0
// Layers with weights, windows and moves of elements.
#include "exchange/onnx/export/layer_export.h"
#include "exchange/onnx/node_reader.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace weft::onnx {

namespace {

/// The first opset with an operator for attention.
constexpr std::int64_t attentionSince = 23;

void refuseSeveralSets(const LayerExport& layer) {
    for (const char* name : {"per_element", "per_position"}) {
        if (layer.attributes().boolean(name)) {
            throw Refusal(fmt::format("{} gives it several sets of weights, which no operator of "
                                      "ONNX has",
                                      name));
        }
    }
}

/// Adds x W^T + b for the weight [units, features]; `bias` is empty if there is none.
std::string product(LayerExport& layer, const std::string& x, const std::string& weight,
                    const std::string& bias) {
    const std::string y = layer.node("MatMul", {x, layer.node("Transpose", {weight})});
    return bias.empty() ? y : layer.node("Add", {y, bias});
}

} // namespace

void exportDense(LayerExport& layer) {
    refuseSeveralSets(layer);
    const std::string bias = layer.attributes().boolean("bias") ? layer.parameter("bias") : "";
    if (layer.shape("x").size() < 2) {
        throw Refusal("its input has no dim of features");
    }
    if (layer.shape("x").size() > 2) {
        layer.setResult(product(layer, layer.input("x"), layer.parameter("weight"), bias));
        return;
    }
    std::vector<std::string> inputs{layer.input("x"), layer.parameter("weight")};
    if (!bias.empty()) {
        inputs.push_back(bias);
    }
    layer.setResult(layer.node("Gemm", std::move(inputs), {attribute("transB", std::int64_t{1})}));
}

void exportConv2d(LayerExport& layer) {
    refuseSeveralSets(layer);
    const Attributes& window = layer.opAttributes("conv2d");
    const Shape& weight = layer.parameterShape("weight");
    std::vector<std::string> inputs{layer.input("x"), layer.parameter("weight")};
    if (layer.attributes().boolean("bias")) {
        inputs.push_back(layer.parameter("bias"));
    }
    layer.setResult(layer.node("Conv", std::move(inputs),
                               {attribute("kernel_shape", Shape{weight[2], weight[3]}),
                                attribute("strides", window.integers("stride")),
                                attribute("pads", window.integers("padding")),
                                attribute("dilations", window.integers("dilation")),
                                attribute("group", window.integer("groups"))}));
}

namespace {

/// Returns the attributes of a pooling. ONNX's ceil_mode counts windows that begin in the padding
/// at the end; Weft, as PyTorch, does not.
std::vector<Attribute> poolAttributes(const LayerExport& layer, const char* op) {
    const Attributes& window = layer.opAttributes(op);
    const Shape kernel = window.integers("kernel");
    const Shape stride = window.integers("stride");
    const Shape padding = window.integers("padding");
    const Shape& x = layer.shape("x");
    bool roundsUp = false;
    bool addsPadding = false;
    for (std::size_t side = 0; window.boolean("ceil") && side < 2; ++side) {
        const std::int64_t room = x[side + 2] + padding[side] + padding[side + 2] - kernel[side];
        const bool isWhole = room % stride[side] == 0;
        const std::int64_t last = (room + stride[side] - 1) / stride[side]; // index of the window
        const bool begins = last * stride[side] < x[side + 2] + padding[side];
        roundsUp = roundsUp || (!isWhole && begins);
        addsPadding = addsPadding || (!isWhole && !begins);
    }
    if (roundsUp && addsPadding) {
        throw Refusal("rounds its size up in one of rows and columns, and not in the other, which "
                      "ceil_mode of ONNX does not; switch ceil off, or change its padding");
    }
    return {attribute("kernel_shape", kernel), attribute("strides", stride),
            attribute("pads", padding), attribute("ceil_mode", std::int64_t{roundsUp})};
}

} // namespace

void exportMaxPool(LayerExport& layer) {
    layer.setResult(layer.node("MaxPool", {layer.input("x")}, poolAttributes(layer, "max_pool2d")));
}

void exportAveragePool(LayerExport& layer) {
    std::vector<Attribute> attributes = poolAttributes(layer, "average_pool2d");
    attributes.push_back(attribute("count_include_pad",
                                   std::int64_t{layer.attributes().boolean("count_include_pad")}));
    layer.setResult(layer.node("AveragePool", {layer.input("x")}, std::move(attributes)));
}

void exportGlobalAveragePool(LayerExport& layer) {
    layer.setResult(layer.node("Flatten", {layer.node("GlobalAveragePool", {layer.input("x")})}));
}

void exportBatchNorm(LayerExport& layer) {
    layer.setResult(
        layer.node("BatchNormalization",
                   {layer.input("x"), layer.parameter("weight"), layer.parameter("bias"),
                    layer.parameter("running_mean"), layer.parameter("running_var")},
                   {attribute("epsilon", layer.attributes().real("epsilon")),
                    attribute("momentum", 1 - layer.attributes().real("momentum"))}));
}

void exportLayerNorm(LayerExport& layer) {
    layer.setResult(
        layer.node("LayerNormalization",
                   {layer.input("x"), layer.parameter("weight"), layer.parameter("bias")},
                   {attribute("axis", std::int64_t{-1}),
                    attribute("epsilon", layer.attributes().real("epsilon"))}));
}

void exportSoftmax(LayerExport& layer) {
    layer.setResult(
        layer.node("Softmax", {layer.input("x")}, {attribute("axis", std::int64_t{-1})}));
}

void exportDropout(LayerExport& layer) {
    const std::string rate = layer.number(layer.attributes().real("rate"));
    layer.setResult(layer.node("Dropout", {layer.input("x"), rate}));
}

void exportFlatten(LayerExport& layer) {
    layer.setResult(layer.node("Flatten", {layer.input("x")}));
}

void exportConcat(LayerExport& layer) {
    std::vector<std::string> inputs;
    for (const LayerExport::Input& input : layer.inputs()) {
        inputs.push_back(input.value);
    }
    layer.setResult(layer.node("Concat", std::move(inputs),
                               {attribute("axis", layer.attributes().integer("dim"))}));
}

void exportEmbedding(LayerExport& layer) {
    layer.setResult(layer.node("Gather", {layer.parameter("weight"), layer.input("ids")},
                               {attribute("axis", std::int64_t{0})}));
}

void exportPositionEmbedding(LayerExport& layer) {
    const std::int64_t time = layer.shape("x")[1];
    std::string table = layer.parameter("weight");
    if (time < layer.parameterShape("weight")[0]) {
        const std::string begin = layer.wholes({0});
        const std::string end = layer.wholes({time});
        table = layer.node("Slice", {table, begin, end, layer.wholes({0})});
    }
    layer.setResult(layer.node("Add", {layer.input("x"), table}));
}

namespace {

/// 0 where a position may attend to another, -inf after it.
Tensor causalMask(std::int64_t time) {
    Tensor mask{.element = Element::f32, .shape = {time, time}};
    for (std::int64_t row = 0; row < time; ++row) {
        for (std::int64_t column = 0; column < time; ++column) {
            mask.reals.push_back(column > row ? -std::numeric_limits<float>::infinity() : 0.0F);
        }
    }
    return mask;
}

/// One of the three input projections, [batch, time, features].
std::string projected(LayerExport& layer, const std::string& x, const std::string& which) {
    const std::string bias =
        layer.attributes().boolean("bias") ? layer.parameter(which + "_proj_bias") : "";
    return product(layer, x, layer.parameter(which + "_proj_weight"), bias);
}

/// Splits the features in heads: [batch, heads, time, features of one], in the order of `dims`.
std::string headsApart(LayerExport& layer, const std::string& x, std::int64_t heads,
                       const Shape& dims) {
    const std::string apart = layer.node("Reshape", {x, layer.wholes({0, 0, heads, -1})});
    return layer.node("Transpose", {apart}, {attribute("perm", dims)});
}

} // namespace

void exportAttention(LayerExport& layer) {
    const std::int64_t heads = layer.attributes().integer("heads");
    const std::int64_t features = layer.shape("x")[2];
    const bool isCausal = layer.attributes().boolean("causal");
    const std::string context = layer.input(layer.has("context") ? "context" : "x");
    const std::string q = projected(layer, layer.input("x"), "q");
    const std::string k = projected(layer, context, "k");
    const std::string v = projected(layer, context, "v");
    const double scale = layer.opAttributes("attention").real("scale");
    std::string o;
    if (layer.opset() >= attentionSince) {
        o = layer.node("Attention", {q, k, v},
                       {attribute("is_causal", std::int64_t{isCausal}),
                        attribute("kv_num_heads", heads), attribute("q_num_heads", heads),
                        attribute("scale", scale)});
    } else {
        const std::string queries = headsApart(layer, q, heads, {0, 2, 1, 3});
        const std::string keys = headsApart(layer, k, heads, {0, 2, 3, 1});
        const std::string values = headsApart(layer, v, heads, {0, 2, 1, 3});
        std::string scores = layer.node("MatMul", {queries, keys});
        scores = layer.node("Mul", {scores, layer.number(scale)});
        if (isCausal) {
            const std::int64_t time = layer.shape("x")[1];
            scores = layer.node(
                "Add", {scores, layer.shared(fmt::format("/causal/{}", time), causalMask, time)});
        }
        scores = layer.node("Softmax", {scores}, {attribute("axis", std::int64_t{-1})});
        o = layer.node("Transpose", {layer.node("MatMul", {scores, values})},
                       {attribute("perm", Shape{0, 2, 1, 3})});
        o = layer.node("Reshape", {o, layer.wholes({0, 0, features})});
    }
    const std::string bias =
        layer.attributes().boolean("bias") ? layer.parameter("out_proj.bias") : "";
    layer.setResult(product(layer, o, layer.parameter("out_proj.weight"), bias));
}

} // namespace weft::onnx
