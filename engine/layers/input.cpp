// SPDX-License-Identifier: Apache-2.0
// input: a feed [batch, ...shape]
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerInput(Lowering& lowering) {
    Shape shape{lowering.batch()};
    for (const std::int64_t size : lowering.attributes().integers("shape")) {
        shape.push_back(size);
    }
    const DType dtype = *dtypeNamed(lowering.attributes().text("dtype"));
    lowering.output(
        "y", lowering.builder().addFeed(lowering.name(), FeedKind::data, dtype, std::move(shape)));
}

} // namespace

void input(LayerList& list) {
    list.add(
        {.info = {.kind = "input",
                  .title = "Input",
                  .category = "input",
                  .help = "Network input: receives one field of the data, a batch at a time. The "
                          "data settings assign a field to each input.",
                  .synonyms = {"data", "source", "placeholder"},
                  .inputs = {},
                  .outputs = {{.name = "y", .help = "[batch, ...shape]"}},
                  .attributes =
                      {{.name = "shape",
                        .defaultValue = std::vector<std::int64_t>{},
                        .help = "Shape of one example, without the batch dim: [channels, rows, "
                                "columns] for images. Empty: a scalar, such as a class index.",
                        .least = 1},
                       {.name = "dtype",
                        .defaultValue = std::string("f32"),
                        .help = "Element type: f32 for images and features, i64 or i32 for class "
                                "indices and ids.",
                        .choices = {"f32", "f64", "i64", "i32"}}},
                  .parameters = {}},
         .lower = lowerInput,
         .samples = {{.attributes = {{"shape", Shape{3, 8, 8}}}},
                     {.attributes = {{"dtype", std::string("i64")}}}}});
}

} // namespace weft::layers
