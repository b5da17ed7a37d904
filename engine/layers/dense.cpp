// SPDX-License-Identifier: Apache-2.0
// dense: y = x W^T + b
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerDense(Lowering& at) {
    if (at.shape(at.input("x")).empty()) {
        at.refuse("input is a single number; dense takes [batch, features]", "x");
        return;
    }
    const std::int64_t features = at.shape(at.input("x")).back();
    const std::int64_t units = at.attributes().integer("units");
    const ValueId weight =
        at.parameter("weight", {units, features}, at.initialiser(features, units));
    ValueId y = at.add("linear", {at.input("x"), weight});
    if (at.attributes().boolean("bias")) {
        y = at.add("bias_add", {y, at.parameter("bias", {units}, at.biasInitialiser(features))});
    }
    at.output("y", y);
}

} // namespace

void dense(LayerList& list) {
    list.add(
        {.info = {.kind = "dense",
                  .title = "Dense",
                  .category = "dense",
                  .help = "y = x W^T + b: every output is a weighted sum of all features of an "
                          "example. Works on [batch, features] and, at each position alike, on "
                          "[batch, time, features]. PyTorch: Linear; weights are [units, "
                          "features].",
                  .synonyms = {"fc", "linear", "fully connected", "inner product", "perceptron"},
                  .inputs = {{.name = "x", .help = "[batch, features] or [batch, time, features]"}},
                  .outputs = {{.name = "y", .help = "the same with units in place of features"}},
                  .attributes = withParameterAttributes(
                      {{.name = "units",
                        .fallback = std::int64_t{10},
                        .help = "Output features.",
                        .least = 1,
                        .required = true},
                       {.name = "bias",
                        .fallback = true,
                        .help = "Whether a learned number is added to each output."}}),
                  .parameters = {{.name = "weight", .help = "[units, features]"},
                                 {.name = "bias", .help = "[units]"}}},
         .lower = lowerDense,
         .samples = {{.inputs = {{6, 10}}, .attributes = {{"units", std::int64_t{7}}}},
                     {.inputs = {{3, 4, 5}},
                      .attributes = {{"units", std::int64_t{6}}, {"bias", false}}}}});
}

} // namespace weft::layers
