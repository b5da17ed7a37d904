// SPDX-License-Identifier: Apache-2.0
// softmax over the last dim
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerSoftmax(Lowering& at) { at.output("y", at.add("softmax", {at.input("x")})); }

} // namespace

void softmax(LayerList& list) {
    list.add(
        {.info = {.kind = "softmax",
                  .title = "Softmax",
                  .category = "activation",
                  .help = "Exponentials along the last dim, divided by their sum: positive "
                          "numbers that add up to one. PyTorch: Softmax(dim=-1). A loss of "
                          "classes takes the numbers before it (softmax_cross_entropy does both).",
                  .synonyms = {"probabilities"},
                  .inputs = {{.name = "x", .help = "numbers whose last dim is normalised"}},
                  .outputs = {{.name = "y", .help = "the same shape; the last dim adds up to one"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerSoftmax,
         .samples = {{.inputs = {{4, 10}}}, {.inputs = {{3, 5, 7}}}}});
}

} // namespace weft::layers
