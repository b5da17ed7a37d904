// SPDX-License-Identifier: Apache-2.0
// sigmoid: y = 1 / (1 + exp(-x))
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerSigmoid(Lowering& lowering) {
    lowering.output("y", lowering.add("sigmoid", {lowering.input("x")}));
}

} // namespace

void sigmoid(LayerList& list) {
    list.add(
        {.info = {.kind = "sigmoid",
                  .title = "Sigmoid",
                  .category = "activation",
                  .help = "Sigmoid: y = 1 / (1 + exp(-x)), elementwise. PyTorch and ONNX: Sigmoid.",
                  .synonyms = {"logistic"},
                  .inputs = {{.name = "x", .help = "any shape"}},
                  .outputs = {{.name = "y", .help = "shape of x"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerSigmoid,
         .samples = {{.inputs = {{4, 10}}}, {.inputs = {{2, 3, 5, 7}}}, {.inputs = {{3, 1, 6}}}}});
}

} // namespace weft::layers
