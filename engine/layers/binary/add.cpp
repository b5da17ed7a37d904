// SPDX-License-Identifier: Apache-2.0
// The layer add: y = x0 + x1 + ...
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerAdd(Lowering& lowering) { lowering.output("y", lowering.add("add", lowering.inputs())); }

} // namespace

void add(LayerList& list) {
    list.add({.info = {.kind = "add",
                       .title = "Add",
                       .category = "combine",
                       .help = "Elementwise sum of any number of inputs of equal shape, for "
                               "example at the end of a residual connection. ONNX: Add, Sum.",
                       .synonyms = {"plus", "sum", "residual", "skip"},
                       .inputs = {{.name = "x",
                                   .help = "any number of wires, all of one shape",
                                   .variadic = true}},
                       .outputs = {{.name = "y", .help = "the sum"}},
                       .attributes = {},
                       .parameters = {}},
              .lower = lowerAdd,
              .samples = {{.inputs = {{4, 10}, {4, 10}}},
                          {.inputs = {{2, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 5, 7}}}}});
}

} // namespace weft::layers
