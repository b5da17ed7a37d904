// SPDX-License-Identifier: Apache-2.0
// multiply: y = a b
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerMultiply(Lowering& lowering) {
    lowering.output("y", lowering.add("multiply", {lowering.input("a"), lowering.input("b")}));
}

} // namespace

void multiply(LayerList& list) {
    list.add(
        {.info = {.kind = "multiply",
                  .title = "Multiply",
                  .category = "combine",
                  .help = "Elementwise product of two inputs of equal shape, for example a gate. "
                          "ONNX: Mul.",
                  .synonyms = {"product", "gate", "times"},
                  .inputs = {{.name = "a", .help = "first factor"},
                             {.name = "b", .help = "second factor, same shape"}},
                  .outputs = {{.name = "y", .help = "the product"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerMultiply,
         .samples = {{.inputs = {{4, 10}, {4, 10}}}, {.inputs = {{2, 3, 5, 7}, {2, 3, 5, 7}}}}});
}

} // namespace weft::layers
