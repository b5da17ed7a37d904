// SPDX-License-Identifier: Apache-2.0
// flatten: [batch, ...] -> [batch, features]
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerFlatten(Lowering& lowering) {
    lowering.output("y", lowering.add("flatten", {lowering.input("x")}));
}

} // namespace

void flatten(LayerList& list) {
    list.add(
        {.info = {.kind = "flatten",
                  .title = "Flatten",
                  .category = "shape",
                  .help = "Flattens all dims except the batch: [batch, channels, rows, columns] "
                          "becomes [batch, channels * rows * columns]. PyTorch and ONNX: Flatten.",
                  .synonyms = {"reshape", "view"},
                  .inputs = {{.name = "x", .help = "[batch, ...]", .type = PortType::any}},
                  .outputs = {{.name = "y", .help = "[batch, features]"}},
                  .attributes = {},
                  .parameters = {}},
         .lower = lowerFlatten,
         .samples = {{.inputs = {{2, 3, 4, 5}}},
                     {.inputs = {{4, 6}}},
                     {.inputs = {{3, 5, 2}}},
                     {.inputs = {{3}}}}});
}

} // namespace weft::layers
