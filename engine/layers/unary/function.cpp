// SPDX-License-Identifier: Apache-2.0
#include "layers/unary/function.h"

#include "graph/function_attributes.h"

namespace weft::layers {

namespace {

std::vector<std::string> synonymsOf(const functions::Info& info) {
    std::vector<std::string> synonyms;
    for (const std::string_view synonym : info.synonyms) {
        if (!synonym.empty()) {
            synonyms.emplace_back(synonym);
        }
    }
    return synonyms;
}

std::vector<LayerSample> samplesOf(const functions::Info& info) {
    std::vector<LayerSample> samples{
        {.inputs = {{4, 10}}}, {.inputs = {{2, 3, 5, 7}}}, {.inputs = {{3, 1, 6}}}};
    for (LayerSample& sample : samples) {
        sample.attributes = sampleAttributesOf(info);
        sample.positive = info.samplesArePositive;
    }
    return samples;
}

} // namespace

void addFunction(LayerList& list, const functions::Info& info) {
    const auto lower = [&info](Lowering& lowering) {
        Attributes attributes;
        for (std::size_t k = 0; k < info.count(); ++k) {
            const std::string name(info.numbers[k].name);
            attributes.set(name, lowering.attributes().real(name));
        }
        lowering.output("y", lowering.add(info.name, {lowering.input("x")}, std::move(attributes)));
    };
    list.add({.info = {.kind = std::string(info.name),
                       .title = std::string(info.title),
                       .category = std::string(info.category),
                       .help = std::string(info.help),
                       .synonyms = synonymsOf(info),
                       .inputs = {{.name = "x", .help = "any shape"}},
                       .outputs = {{.name = "y", .help = "shape of x"}},
                       .attributes = attributesOf(info),
                       .parameters = {}},
              .lower = lower,
              .samples = samplesOf(info)});
}

} // namespace weft::layers
