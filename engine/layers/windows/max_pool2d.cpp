// SPDX-License-Identifier: Apache-2.0
// max_pool2d: the maximum of each window
#include "layers/layer.h"
#include "layers/windows/windows.h"

namespace weft::layers {

namespace {

void lowerMaxPool2d(Lowering& lowering) {
    lowering.output(
        "y", lowering.add("max_pool2d", {lowering.input("x")}, poolWindow(lowering.attributes())));
}

} // namespace

void max_pool2d(LayerList& list) {
    list.add({.info = {.kind = "max_pool2d",
                       .title = "Max pooling",
                       .category = "pooling",
                       .help = "Max pooling over windows, per channel. Padded positions are never "
                               "the maximum. PyTorch: MaxPool2d; ONNX: MaxPool.",
                       .synonyms = {"pool", "pooling", "subsampling", "maxpool"},
                       .inputs = {{.name = "x", .help = "[batch, channels, rows, columns]"}},
                       .outputs = {{.name = "y", .help = "[batch, channels, rows, columns]"}},
                       .attributes = {kernelSpec(), strideSpec({}), paddingSpec(), ceilSpec()},
                       .parameters = {}},
              .lower = lowerMaxPool2d,
              .samples = {{.inputs = {{3, 4, 8, 6}}, .attributes = {{"kernel", std::int64_t{2}}}},
                          {.inputs = {{2, 3, 7, 8}},
                           .attributes = {{"kernel", Shape{3, 3}},
                                          {"stride", Shape{2, 2}},
                                          {"padding", std::int64_t{1}}}},
                          {.inputs = {{2, 5, 8, 7}},
                           .attributes = {{"kernel", std::int64_t{3}},
                                          {"stride", std::int64_t{2}},
                                          {"ceil", true}}}}});
}

} // namespace weft::layers
