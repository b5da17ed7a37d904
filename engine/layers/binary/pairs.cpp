// SPDX-License-Identifier: Apache-2.0
// The rows of functions/pairs.h that have a title
#include "functions/table.h"
#include "layers/layer.h"

namespace weft::layers {

namespace {

constexpr const char* broadcasting = " Operands of equal shape, or broadcast as in numpy: after "
                                     "the batch, dims of size 1 are repeated "
                                     "and missing first dims are added.";

void addPair(LayerList& list, const functions::PairInfo& info) {
    std::vector<std::string> synonyms;
    for (const std::string_view synonym : info.synonyms) {
        if (!synonym.empty()) {
            synonyms.emplace_back(synonym);
        }
    }
    std::vector<LayerSample> samples{{.inputs = {{4, 10}, {4, 10}}},
                                     {.inputs = {{2, 3, 5, 7}, {2, 3, 1, 1}}},
                                     {.inputs = {{3, 6}, {3, 4, 6}}}};
    for (LayerSample& sample : samples) {
        sample.positive = info.samplesArePositive;
    }
    const auto lower = [&info](Lowering& lowering) {
        lowering.output("y", lowering.add(info.name, {lowering.input("a"), lowering.input("b")}));
    };
    list.add({.info = {.kind = std::string(info.name),
                       .title = std::string(info.title),
                       .category = "combine",
                       .help = std::string(info.help) + broadcasting,
                       .synonyms = std::move(synonyms),
                       .inputs = {{.name = "a", .help = std::string(info.a)},
                                  {.name = "b", .help = std::string(info.b)}},
                       .outputs = {{.name = "y", .help = "broadcast shape of a and b"}},
                       .attributes = {},
                       .parameters = {}},
              .lower = lower,
              .samples = std::move(samples)});
}

} // namespace

void pairs(LayerList& list) {
    functions::Pairs::forEach([&]<class Row>(Row) {
        if constexpr (!Row::pair.title.empty()) {
            addPair(list, Row::pair);
        }
    });
}

} // namespace weft::layers
