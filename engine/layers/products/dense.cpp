// SPDX-License-Identifier: Apache-2.0
// dense: y = x W^T + b
#include "layers/layer.h"

#include <fmt/format.h>

namespace weft::layers {

namespace {

void lowerDense(Lowering& lowering) {
    if (lowering.shape(lowering.input("x")).empty()) {
        lowering.refuse("input is a single number; dense expects [batch, features]", "x");
        return;
    }
    const std::int64_t features = lowering.shape(lowering.input("x")).back();
    const std::int64_t units = lowering.attributes().integer("units");
    const Shape& x = lowering.shape(lowering.input("x"));
    if (x.size() == 2 && lowering.attributes().boolean("per_position")) {
        lowering.refuse(
            fmt::format(
                "input is {}, which has no time steps; per_position expects [batch, time, "
                "features] and gives each time step its own weights: switch per_position off",
                toString(x)),
            "x");
        return;
    }
    const WeightSets sets =
        lowering.sets(x.front(), x.size() < 3 ? Shape{} : Shape(x.begin() + 1, x.end() - 1));
    const ValueId weight = lowering.parameter("weight", {units, features},
                                              lowering.initialiser(features, units), sets);
    ValueId y = lowering.add(sets.op("linear"), {lowering.input("x"), weight}, sets.with({}));
    if (lowering.attributes().boolean("bias")) {
        const ValueId bias =
            lowering.parameter("bias", {units}, lowering.biasInitialiser(features), sets);
        y = lowering.add(sets.hasSeveralSets() ? "bias_sets" : "bias_add", {y, bias},
                         sets.with({}));
    }
    lowering.output("y", y);
}

} // namespace

void dense(LayerList& list) {
    list.add(
        {.info =
             {.kind = "dense",
              .title = "Dense",
              .category = "dense",
              .help = "Fully connected layer: y = x W^T + b. Takes [batch, features], or [batch, "
                      "time, features] and applies to every position. Weights are [units, "
                      "features]; there can be a set of weights per batch element (per_element), "
                      "per time step (per_position), or both. PyTorch: Linear; ONNX: Gemm, MatMul.",
              .synonyms = {"fc", "linear", "fully connected", "inner product", "perceptron"},
              .inputs = {{.name = "x", .help = "[batch, features] or [batch, time, features]"}},
              .outputs = {{.name = "y", .help = "shape of x, with units instead of features"}},
              .attributes = withParameterAttributes(
                  withSetAttributes({{.name = "units",
                                      .defaultValue = std::int64_t{10},
                                      .help = "Number of output features.",
                                      .least = 1,
                                      .required = true},
                                     {.name = "bias",
                                      .defaultValue = true,
                                      .help = "Add a learned bias to each output."}},
                                    "time of [batch, time, features]")),
              .parameters =
                  {{.name = "weight",
                    .help = "[units, features]; per_element adds batch as the first dim, "
                            "per_position adds time before units"},
                   {.name = "bias",
                    .help =
                        "[units]; per_element and per_position add the same dims as to weight"}}},
         .lower = lowerDense,
         .samples = {
             {.inputs = {{6, 10}}, .attributes = {{"units", std::int64_t{7}}}},
             {.inputs = {{3, 4, 5}}, .attributes = {{"units", std::int64_t{6}}, {"bias", false}}},
             {.inputs = {{5, 6}},
              .attributes = {{"units", std::int64_t{3}}, {"per_element", true}}},
             {.inputs = {{3, 4, 5}},
              .attributes = {{"units", std::int64_t{6}}, {"per_position", true}}},
             {.inputs = {{4, 3, 5}},
              .attributes = {{"units", std::int64_t{4}},
                             {"per_element", true},
                             {"per_position", true},
                             {"first_sets", std::string("same")}}}}});
}

} // namespace weft::layers
