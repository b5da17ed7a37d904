// SPDX-License-Identifier: Apache-2.0
// gelu: y = x Phi(x)
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerGelu(Lowering& lowering) {
    lowering.output("y", lowering.add("gelu", {lowering.input("x")}));
}

} // namespace

void gelu(LayerList& list) {
    list.add(
        {.info = {.kind = "gelu",
                  .title = "GELU",
                  .category = "activation",
                  .help = "GELU: y = x Phi(x), where Phi is the standard normal CDF, computed "
                          "exactly with erf. PyTorch: GELU with approximate=\"none\"; ONNX: Gelu.",
                  .synonyms = {"gaussian error linear unit"},
                  .inputs = {{.name = "x", .help = "any shape"}},
                  .outputs = {{.name = "y", .help = "shape of x"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerGelu,
         .samples = {{.inputs = {{4, 10}}}, {.inputs = {{2, 3, 5, 7}}}, {.inputs = {{3, 1, 6}}}}});
}

} // namespace weft::layers
