// SPDX-License-Identifier: Apache-2.0
// position_embedding: y[b, t] = x[b, t] + weight[t]
#include "layers/layer.h"
#include "layers/lookup/table.h"

#include <fmt/format.h>

namespace weft::layers {

namespace {

void lowerPositionEmbedding(Lowering& lowering) {
    if (!lowering.hasRank("x", 3, "position_embedding expects [batch, time, features]")) {
        return;
    }
    const std::int64_t time = lowering.shape(lowering.input("x"))[1];
    const std::int64_t features = lowering.shape(lowering.input("x"))[2];
    const std::int64_t length = lowering.attributes().integer("length");
    if (time > length) {
        lowering.refuse(
            fmt::format("input has {} positions and the table {}: set length to at least {}", time,
                        length, time),
            "x");
        return;
    }
    ValueId table = lowering.parameter("weight", {length, features}, tableInitialiser(lowering));
    if (time < length) {
        table = lowering.add("slice", {table},
                             {{"dim", std::int64_t{0}}, {"begin", std::int64_t{0}}, {"end", time}});
    }
    lowering.output("y", lowering.add("position_add", {lowering.input("x"), table}));
}

} // namespace

void position_embedding(LayerList& list) {
    list.add(
        {.info = {.kind = "position_embedding",
                  .title = "Position embedding",
                  .category = "embedding",
                  .help =
                      "Learned positional embedding: y[b, t] = x[b, t] + weight[t]. Shorter inputs "
                      "use the first rows. The default initialisation is the standard normal "
                      "distribution. PyTorch: x + Embedding(length, features)(arange(time)).",
                  .synonyms = {"positional encoding", "wpe"},
                  .inputs = {{.name = "x", .help = "[batch, time, features]"}},
                  .outputs = {{.name = "y", .help = "shape of x"}},
                  .attributes = withParameterAttributes({{.name = "length",
                                                          .defaultValue = std::int64_t{128},
                                                          .help = "Maximum number of positions.",
                                                          .least = 1,
                                                          .required = true}}),
                  .parameters = {{.name = "weight", .help = "[length, features]"}}},
         .lower = lowerPositionEmbedding,
         .samples = {{.inputs = {{2, 5, 6}}, .attributes = {{"length", std::int64_t{5}}}},
                     {.inputs = {{3, 4, 7}}, .attributes = {{"length", std::int64_t{9}}}}}});
}

} // namespace weft::layers
