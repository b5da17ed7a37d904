// SPDX-License-Identifier: Apache-2.0
// highway: y = x + t (h - x), h = tanh(x W^T + b), t = sigmoid(x U^T + c)
#include "layers/layer.h"

namespace weft::example::layers {

namespace {

void lowerHighway(Lowering& at) {
    const ValueId x = at.input("x");
    if (at.shape(x).size() != 2) {
        at.refuse("input is " + toString(at.shape(x)) + "; highway takes [batch, features]", "x",
                  at.shape(x).size() > 2 ? "flatten" : "");
        return;
    }
    const std::int64_t n = at.shape(x)[1];
    const auto dense = [&](const std::string& name) {
        const ValueId w = at.parameter(name + "_weight", {n, n}, at.initialiser(n, n));
        const ValueId b = at.parameter(name + "_bias", {n}, at.biasInitialiser(n));
        return at.add("bias_add", {at.add("linear", {x, w}), b});
    };
    const ValueId h = at.add("tanh", {dense("transform")});
    const ValueId t = at.add("sigmoid", {dense("gate")});
    at.output("y", at.add("add", {x, at.add("multiply", {t, at.add("subtract", {h, x})})}));
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
