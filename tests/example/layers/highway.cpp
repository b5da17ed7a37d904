// SPDX-License-Identifier: Apache-2.0
// highway: y = x + t (h - x), h = tanh(x W^T + b), t = sigmoid(x U^T + c)
#include "layers/layer.h"

namespace weft::example::layers {

namespace {

void lowerHighway(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    if (lowering.shape(x).size() != 2) {
        lowering.refuse("input is " + toString(lowering.shape(x)) +
                            "; highway expects [batch, features]",
                        "x", lowering.shape(x).size() > 2 ? "flatten" : "");
        return;
    }
    const std::int64_t n = lowering.shape(x)[1];
    const auto dense = [&](const std::string& name) {
        const ValueId w = lowering.parameter(name + "_weight", {n, n}, lowering.initialiser(n, n));
        const ValueId b = lowering.parameter(name + "_bias", {n}, lowering.biasInitialiser(n));
        return lowering.add("bias_add", {lowering.add("linear", {x, w}), b});
    };
    const ValueId h = lowering.add("tanh", {dense("transform")});
    const ValueId t = lowering.add("sigmoid", {dense("gate")});
    lowering.output(
        "y",
        lowering.add("add", {x, lowering.add("multiply", {t, lowering.add("subtract", {h, x})})}));
}

} // namespace

void highway(LayerList& list) {
    list.add({.info = {.kind = "highway",
                       .title = "Highway",
                       .category = "dense",
                       .help = "y = x + t (h - x): a learned gate t says, feature by feature, how "
                               "much of x goes by unchanged. Srivastava et al. 2015.",
                       .synonyms = {"gated"},
                       .inputs = {{.name = "x", .help = "[batch, features]"}},
                       .outputs = {{.name = "y", .help = "the same shape"}},
                       .attributes = withParameterAttributes({}),
                       .parameters = {{.name = "transform_weight", .help = "[features, features]"},
                                      {.name = "transform_bias", .help = "[features]"},
                                      {.name = "gate_weight", .help = "[features, features]"},
                                      {.name = "gate_bias", .help = "[features]"}}},
              .lower = lowerHighway,
              .samples = {{.inputs = {{6, 10}}}, {.inputs = {{3, 1}}}}});
}

} // namespace weft::example::layers
