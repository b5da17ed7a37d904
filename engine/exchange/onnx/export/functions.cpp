// SPDX-License-Identifier: Apache-2.0
// Functions of one operand whose numbers are inputs in ONNX, or that an opset spells out.
#include "exchange/onnx/export/layer_export.h"

#include <numbers>

namespace weft::onnx {

namespace {

constexpr std::int64_t geluSince = 20;
constexpr std::int64_t mishSince = 18;
constexpr std::int64_t swishSince = 24;

} // namespace

void exportClip(LayerExport& layer) {
    const std::string least = layer.number(layer.attributes().real("min"));
    const std::string most = layer.number(layer.attributes().real("max"));
    layer.setResult(layer.node("Clip", {layer.input("x"), least, most}));
}

void exportGelu(LayerExport& layer) {
    const std::string& x = layer.input("x");
    if (layer.opset() >= geluSince) {
        layer.setResult(layer.node("Gelu", {x}));
        return;
    }
    const std::string scaled = layer.node("Div", {x, layer.number(std::numbers::sqrt2)});
    const std::string erf = layer.node("Erf", {scaled});
    const std::string twice = layer.node("Add", {erf, layer.number(1)});
    const std::string product = layer.node("Mul", {x, twice});
    layer.setResult(layer.node("Mul", {product, layer.number(0.5)}));
}

void exportMish(LayerExport& layer) {
    const std::string& x = layer.input("x");
    if (layer.opset() >= mishSince) {
        layer.setResult(layer.node("Mish", {x}));
        return;
    }
    const std::string gate = layer.node("Tanh", {layer.node("Softplus", {x})});
    layer.setResult(layer.node("Mul", {x, gate}));
}

void exportSilu(LayerExport& layer) {
    const std::string& x = layer.input("x");
    if (layer.opset() >= swishSince) {
        layer.setResult(layer.node("Swish", {x}));
        return;
    }
    const std::string gate = layer.node("Sigmoid", {x});
    layer.setResult(layer.node("Mul", {x, gate}));
}

void exportPower(LayerExport& layer) {
    const std::string exponent = layer.number(layer.attributes().real("exponent"));
    layer.setResult(layer.node("Pow", {layer.input("x"), exponent}));
}

void exportSoftplus(LayerExport& layer) {
    const std::string& x = layer.input("x");
    const double beta = layer.attributes().real("beta");
    if (beta == 1) {
        layer.setResult(layer.node("Softplus", {x}));
        return;
    }
    const std::string scaled = layer.node("Mul", {x, layer.number(beta)});
    const std::string y = layer.node("Softplus", {scaled});
    layer.setResult(layer.node("Div", {y, layer.number(beta)}));
}

void exportSquare(LayerExport& layer) {
    layer.setResult(layer.node("Mul", {layer.input("x"), layer.input("x")}));
}

void exportPrelu(LayerExport& layer) {
    std::string slope = layer.parameter("weight");
    const std::size_t rank = layer.shape("x").size();
    if (layer.attributes().boolean("per_channel") && rank > 2) {
        // ONNX aligns the slopes with the last dims of x.
        Shape axes;
        for (std::size_t dim = 1; dim + 1 < rank; ++dim) {
            axes.push_back(static_cast<std::int64_t>(dim));
        }
        slope = layer.node("Unsqueeze", {slope, layer.wholes(std::move(axes))});
    }
    layer.setResult(layer.node("PRelu", {layer.input("x"), slope}));
}

} // namespace weft::onnx
