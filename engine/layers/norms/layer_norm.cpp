// SPDX-License-Identifier: Apache-2.0
// layer_norm: y = gamma (x - mean) / sqrt(variance + epsilon) + beta along the last dim
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerLayerNorm(Lowering& lowering) {
    const Shape& shape = lowering.shape(lowering.input("x"));
    if (shape.empty()) {
        lowering.refuse("input is a single number; layer_norm expects [batch, ..., features]", "x");
        return;
    }
    const Shape perFeature{shape.back()};
    const ValueId gamma = lowering.parameter("weight", perFeature, {"constant", {{"value", 1.0}}});
    const ValueId beta = lowering.parameter("bias", perFeature, {"constant", {{"value", 0.0}}});
    lowering.output("y", lowering.add("layer_norm", {lowering.input("x"), gamma, beta},
                                      {{"epsilon", lowering.attributes().real("epsilon")}}));
}

} // namespace

void layer_norm(LayerList& list) {
    list.add({.info = {.kind = "layer_norm",
                       .title = "Layer normalisation",
                       .category = "normalisation",
                       .help = "Layer normalization: normalizes the features of each example (and "
                               "position) to mean 0 and variance 1 (biased variance), then applies "
                               "a learned scale and shift. Training and evaluation are the same. "
                               "PyTorch: LayerNorm(features); ONNX: LayerNormalization.",
                       .synonyms = {"ln", "layernorm", "norm"},
                       .inputs = {{.name = "x", .help = "[batch, ..., features]"}},
                       .outputs = {{.name = "y", .help = "shape of x"}},
                       .attributes = withUpdateAttributes(
                           {{.name = "epsilon",
                             .defaultValue = 1e-5,
                             .help = "Added to the variance for numerical stability.",
                             .least = 0}}),
                       .parameters = {{.name = "weight", .help = "[features], gamma; initially 1"},
                                      {.name = "bias", .help = "[features], beta; initially 0"}}},
              .lower = lowerLayerNorm,
              .samples = {{.inputs = {{4, 10}}},
                          {.inputs = {{3, 5, 7}}, .attributes = {{"epsilon", 0.001}}}}});
}

} // namespace weft::layers
