// SPDX-License-Identifier: Apache-2.0
// input: a feed [batch, ...shape]
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerInput(Lowering& at) {
    Shape shape{at.batch()};
    for (const std::int64_t size : at.attributes().integers("shape")) {
        shape.push_back(size);
    }
    const DType dtype = *dtypeNamed(at.attributes().text("dtype"));
    at.output("y", at.builder().addFeed(at.name(), FeedKind::data, dtype, std::move(shape)));
}

} // namespace

void input(LayerList& list) {
    list.add(
        {.info = {.kind = "input",
                  .title = "Input",
                  .category = "input",
                  .help = "Where a field of the data enters the design, a batch of examples at a "
                          "time. The data settings say which field feeds it.",
                  .synonyms = {"data", "source", "placeholder"},
                  .inputs = {},
                  .outputs = {{.name = "y", .help = "[batch, ...shape]"}},
                  .attributes = {{.name = "shape",
                                  .fallback = std::vector<std::int64_t>{},
                                  .help = "The shape of one example, without the batch: "
                                          "[channels, rows, columns] of a picture; empty: "
                                          "one number, such as a class.",
                                  .least = 1},
                                 {.name = "dtype",
                                  .fallback = std::string("f32"),
                                  .help = "The element type: f32 for pictures and features, "
                                          "i64 or i32 for classes and ids.",
                                  .choices = {"f32", "f64", "i64", "i32"}}},
                  .parameters = {}},
         .lower = lowerInput,
         .samples = {{.attributes = {{"shape", Shape{3, 8, 8}}}},
                     {.attributes = {{"dtype", std::string("i64")}}}}});
}

} // namespace weft::layers
