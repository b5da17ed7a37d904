// SPDX-License-Identifier: Apache-2.0
// embedding: y = table[ids]
#include "layers/layer.h"
#include "layers/lookup/table.h"

namespace weft::layers {

namespace {

void lowerEmbedding(Lowering& lowering) {
    const std::int64_t rows = lowering.attributes().integer("rows");
    const std::int64_t features = lowering.attributes().integer("features");
    const ValueId table =
        lowering.parameter("weight", {rows, features}, tableInitialiser(lowering));
    lowering.output("y", lowering.add("embedding", {lowering.input("ids"), table}));
}

} // namespace

void embedding(LayerList& list) {
    list.add(
        {.info = {.kind = "embedding",
                  .title = "Embedding",
                  .category = "embedding",
                  .help = "Embedding lookup: ids [batch, ...] become learned rows [batch, ..., "
                          "features]. The default initialisation is the standard normal "
                          "distribution, as in PyTorch. An id out of range gives NaN, which stops "
                          "a run. PyTorch: Embedding; ONNX: Gather.",
                  .synonyms = {"lookup", "token embedding", "word vectors"},
                  .inputs = {{.name = "ids",
                              .help = "[batch, ...], indices from 0 to rows - 1",
                              .type = PortType::whole}},
                  .outputs = {{.name = "y", .help = "[batch, ..., features]"}},
                  .attributes = withParameterAttributes(
                      {{.name = "rows",
                        .defaultValue = std::int64_t{256},
                        .help = "Number of embeddings (size of the vocabulary).",
                        .least = 1,
                        .required = true},
                       {.name = "features",
                        .defaultValue = std::int64_t{64},
                        .help = "Embedding dimension.",
                        .least = 1,
                        .required = true}}),
                  .parameters = {{.name = "weight", .help = "[rows, features]"}}},
         .lower = lowerEmbedding,
         .samples = {{.inputs = {{3, 5}},
                      .attributes = {{"rows", std::int64_t{11}}, {"features", std::int64_t{6}}},
                      .dtypes = {DType::i64}},
                     {.inputs = {{4}},
                      .attributes = {{"rows", std::int64_t{7}}, {"features", std::int64_t{3}}},
                      .dtypes = {DType::i32}}}});
}

} // namespace weft::layers
