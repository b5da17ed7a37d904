// SPDX-License-Identifier: Apache-2.0
// average_pool2d: the mean of each window
#include "layers/layer.h"
#include "layers/windows/windows.h"

namespace weft::layers {

namespace {

void lowerAveragePool2d(Lowering& lowering) {
    Attributes window = poolWindow(lowering.attributes());
    window.set("count_include_pad", lowering.attributes().boolean("count_include_pad"));
    lowering.output("y", lowering.add("average_pool2d", {lowering.input("x")}, window));
}

} // namespace

void average_pool2d(LayerList& list) {
    list.add({.info = {.kind = "average_pool2d",
                       .title = "Average pooling",
                       .category = "pooling",
                       .help = "Average pooling over windows, per channel. PyTorch: AvgPool2d; "
                               "ONNX: AveragePool.",
                       .synonyms = {"pool", "pooling", "mean", "avgpool"},
                       .inputs = {{.name = "x", .help = "[batch, channels, rows, columns]"}},
                       .outputs = {{.name = "y", .help = "[batch, channels, rows, columns]"}},
                       .attributes = {kernelSpec(),
                                      strideSpec({}),
                                      paddingSpec(),
                                      ceilSpec(),
                                      {.name = "count_include_pad",
                                       .defaultValue = true,
                                       .help = "Count padded positions as zeros in the average."}},
                       .parameters = {}},
              .lower = lowerAveragePool2d,
              .samples = {{.inputs = {{3, 4, 8, 6}}, .attributes = {{"kernel", std::int64_t{2}}}},
                          {.inputs = {{2, 3, 7, 8}},
                           .attributes = {{"kernel", Shape{3, 3}},
                                          {"stride", Shape{2, 2}},
                                          {"padding", std::int64_t{1}},
                                          {"count_include_pad", false}}}}});
}

} // namespace weft::layers
