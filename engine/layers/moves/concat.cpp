// SPDX-License-Identifier: Apache-2.0
// concat: inputs concatenated along a dim
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerConcat(Lowering& lowering) {
    const std::int64_t dim = lowering.attributes().integer("dim");
    const auto rank = static_cast<std::int64_t>(lowering.shape(lowering.inputs().front()).size());
    if (dim == 0 || dim == -rank) {
        lowering.refuse("dim 0 is the batch: concatenate along another dim");
        return;
    }
    lowering.output("y", lowering.add("concat", lowering.inputs(), {{"dim", dim}}));
}

} // namespace

void concat(LayerList& list) {
    list.add({.info = {.kind = "concat",
                       .title = "Concatenate",
                       .category = "combine",
                       .help = "Concatenates any number of inputs along one dim. All other dims "
                               "must be equal. PyTorch: cat; ONNX: Concat.",
                       .synonyms = {"cat", "join", "stack", "merge"},
                       .inputs = {{.name = "x",
                                   .help = "any number of wires",
                                   .variadic = true,
                                   .type = PortType::any}},
                       .outputs = {{.name = "y", .help = "the inputs concatenated along dim"}},
                       .attributes = {{.name = "dim",
                                       .defaultValue = std::int64_t{1},
                                       .help = "Dim to concatenate along: 1 is channels or "
                                               "features, -1 is the last dim."}},
                       .parameters = {}},
              .lower = lowerConcat,
              .samples = {
                  {.inputs = {{4, 3}, {4, 7}}},
                  {.inputs = {{2, 3, 5, 4}, {2, 1, 5, 4}, {2, 6, 5, 4}}},
                  {.inputs = {{3, 5, 2}, {3, 5, 4}}, .attributes = {{"dim", std::int64_t{-1}}}}}});
}

} // namespace weft::layers
