// SPDX-License-Identifier: Apache-2.0
// tanh: y = tanh(x)
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerTanh(Lowering& lowering) {
    lowering.output("y", lowering.add("tanh", {lowering.input("x")}));
}

} // namespace

void tanh(LayerList& list) {
    list.add(
        {.info = {.kind = "tanh",
                  .title = "Tanh",
                  .category = "activation",
                  .help = "Hyperbolic tangent, elementwise. PyTorch and ONNX: Tanh.",
                  .synonyms = {"hyperbolic tangent"},
                  .inputs = {{.name = "x", .help = "any shape"}},
                  .outputs = {{.name = "y", .help = "shape of x"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerTanh,
         .samples = {{.inputs = {{4, 10}}}, {.inputs = {{2, 3, 5, 7}}}, {.inputs = {{3, 1, 6}}}}});
}

} // namespace weft::layers
