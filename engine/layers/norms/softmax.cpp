// SPDX-License-Identifier: Apache-2.0
// softmax over the last dim
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerSoftmax(Lowering& lowering) {
    lowering.output("y", lowering.add("softmax", {lowering.input("x")}));
}

} // namespace

void softmax(LayerList& list) {
    list.add(
        {.info = {.kind = "softmax",
                  .title = "Softmax",
                  .category = "activation",
                  .help = "Softmax over the last dim. The loss softmax_cross_entropy includes it "
                          "and takes the logits instead. PyTorch: Softmax(dim=-1); ONNX: Softmax.",
                  .synonyms = {"probabilities"},
                  .inputs = {{.name = "x", .help = "logits; softmax runs over the last dim"}},
                  .outputs = {{.name = "y", .help = "shape of x; the last dim sums to 1"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerSoftmax,
         .samples = {{.inputs = {{4, 10}}}, {.inputs = {{3, 5, 7}}}}});
}

} // namespace weft::layers
