// SPDX-License-Identifier: Apache-2.0
// relu: y = max(x, 0)
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerRelu(Lowering& lowering) {
    lowering.output("y", lowering.add("relu", {lowering.input("x")}));
}

} // namespace

void relu(LayerList& list) {
    list.add(
        {.info = {.kind = "relu",
                  .title = "ReLU",
                  .category = "activation",
                  .help = "ReLU: y = max(x, 0), elementwise. PyTorch: ReLU; ONNX: Relu.",
                  .synonyms = {"rectifier", "rectified linear"},
                  .inputs = {{.name = "x", .help = "any shape"}},
                  .outputs = {{.name = "y", .help = "shape of x"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerRelu,
         .samples = {{.inputs = {{4, 10}}}, {.inputs = {{2, 3, 5, 7}}}, {.inputs = {{3, 1, 6}}}}});
}

} // namespace weft::layers
