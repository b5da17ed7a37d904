// SPDX-License-Identifier: Apache-2.0
// global_average_pool: the mean over rows and columns
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerGlobalAveragePool(Lowering& lowering) {
    lowering.output("y", lowering.add("global_average_pool", {lowering.input("x")}));
}

} // namespace

void global_average_pool(LayerList& list) {
    list.add({.info = {.kind = "global_average_pool",
                       .title = "Global average pooling",
                       .category = "pooling",
                       .help = "Global average pooling: the mean of each channel over all rows and "
                               "columns, [batch, channels]. PyTorch: AdaptiveAvgPool2d(1) and "
                               "Flatten; ONNX: GlobalAveragePool.",
                       .synonyms = {"gap", "adaptive pooling"},
                       .inputs = {{.name = "x", .help = "[batch, channels, rows, columns]"}},
                       .outputs = {{.name = "y", .help = "[batch, channels]"}},
                       .attributes = {},
                       .parameters = {}},
              .lower = lowerGlobalAveragePool,
              .samples = {{.inputs = {{3, 5, 4, 6}}}, {.inputs = {{2, 1, 1, 3}}}}});
}

} // namespace weft::layers
