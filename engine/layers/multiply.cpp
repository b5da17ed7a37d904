// SPDX-License-Identifier: Apache-2.0
// multiply: y = a b
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerMultiply(Lowering& at) {
    at.output("y", at.add("multiply", {at.input("a"), at.input("b")}));
}

} // namespace

void multiply(LayerList& list) {
    list.add(
        {.info = {.kind = "multiply",
                  .title = "Multiply",
                  .category = "combine",
                  .help = "Multiplies two inputs of one shape, element by element: a gate.",
                  .synonyms = {"product", "gate", "times"},
                  .inputs = {{.name = "a", .help = "one factor"},
                             {.name = "b", .help = "the other, of the same shape"}},
                  .outputs = {{.name = "y", .help = "their product"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerMultiply,
         .samples = {{.inputs = {{4, 10}, {4, 10}}}, {.inputs = {{2, 3, 5, 7}, {2, 3, 5, 7}}}}});
}

} // namespace weft::layers
