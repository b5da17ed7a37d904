// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim, with a set of numbers for each batch element, for each position, or
// both: b is [batch, positions..., features], without the dims that share a set. The gradient of b
// sums dy over what shares a set.
#include "graph/builder.h"
#include "ops/elementwise.h"
#include "ops/sets.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

AttributeSpec alongAttribute() {
    return {.name = "dim",
            .defaultValue = std::int64_t{-1},
            .help = "Dim of the bias; -1 is the last."};
}

/// Returns the letters of x and of b.
std::pair<std::string, std::string> biasSetLetters(const Signature& s) {
    const std::size_t rank = s.inputs[0].shape.size();
    const auto dim = static_cast<std::size_t>(dimOf(s.attributes, rank));
    const std::vector<std::string> letters = dimLetters(rank);
    std::vector<std::string> own = Sets(s.attributes).lead(letters, dim);
    own.push_back(letters[dim]);
    return {joined(letters), joined(own)};
}

/// Returns the dim of the features, which must not be that of the batch; 0 or below: refused.
int featuresDim(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim == 0) {
        inference.refuse("dim 0 is the batch; a bias needs a dim of features");
    }
    return dim;
}

Shape biasSetShape(const ShapeInference& inference, int dim) {
    const Shape& x = inference.shape(0);
    const auto along = static_cast<std::size_t>(dim);
    return joinedDims(Sets(inference.attributes()).lead(x, along), {x[along]});
}

struct BiasSetCase {
    Shape x;
    std::int64_t dim;
    bool perElement, perPosition;
};

const std::vector<BiasSetCase>& biasSetCases() {
    static const std::vector<BiasSetCase> list = {
        {{5, 7}, -1, true, false},      {{3, 5, 6}, -1, true, false},
        {{3, 5, 6}, -1, false, true},   {{3, 5, 6}, -1, true, true},
        {{3, 5, 4, 7}, 1, true, false}, {{3, 5, 4, 7}, 1, false, true},
        {{3, 5, 4, 7}, 1, true, true},  {{1, 1, 1, 1}, 1, true, true}};
    return list;
}

std::vector<Sample> biasSetSamples(bool hasBias) {
    std::vector<Sample> samples;
    for (const BiasSetCase& one : biasSetCases()) {
        Attributes attributes = withSets({{"dim", one.dim}}, one.perElement, one.perPosition);
        const auto dim = static_cast<std::size_t>(dimOf(attributes, one.x.size()));
        Sample sample{.inputs = {one.x}};
        if (hasBias) {
            sample.inputs.push_back(joinedDims(Sets(attributes).lead(one.x, dim), {one.x[dim]}));
        }
        sample.attributes = std::move(attributes);
        samples.push_back(std::move(sample));
    }
    return samples;
}

} // namespace

void bias_sets(OpList& list) {
    list.add({.name = "bias_sets",
              .help = "y = x + b, with a set of biases per batch element, position, or both.",
              .inputs = {{"x"}, {"b"}},
              .outputs = {"y"},
              .attributes = {alongAttribute(), perElementAttribute(), perPositionAttribute()},
              .shape =
                  [](ShapeInference& inference) {
                      const int dim = featuresDim(inference);
                      if (dim > 0 && hasShape(inference, 1, biasSetShape(inference, dim), "bias")) {
                          inference.output(0).shape = inference.shape(0);
                      }
                  },
              .gradient =
                  [](Gradient& gradient) {
                      if (gradient.needsGradient(0)) {
                          gradient.set(0, gradient.dy());
                      }
                      if (gradient.needsGradient(1)) {
                          gradient.set(1, gradient.add("bias_sets_gradient", {gradient.dy()},
                                                       gradient.attributes()));
                      }
                  },
              .placementOf =
                  [](const Signature& s) {
                      const auto [x, own] = biasSetLetters(s);
                      return fmt::format("{0} + {1} -> {0}", x, own);
                  },
              .cost = [](const Signature& s) { return Flops{s.inputs[0].elements()}; },
              .inPlace = {{0, 0}},
              .samples = biasSetSamples(true)});
    list.add({.name = "bias_sets_gradient",
              .help = "Gradient of bias_sets with respect to b: sums dy over what shares it.",
              .inputs = {{"dy"}},
              .outputs = {"db"},
              .attributes = {alongAttribute(), perElementAttribute(), perPositionAttribute()},
              .shape =
                  [](ShapeInference& inference) {
                      if (const int dim = featuresDim(inference); dim > 0) {
                          inference.output(0).shape = biasSetShape(inference, dim);
                      }
                  },
              .placementOf =
                  [](const Signature& s) {
                      const auto [x, own] = biasSetLetters(s);
                      return fmt::format("{} -> {}", x, own);
                  },
              .cost = [](const Signature& s) { return Flops{s.inputs[0].elements()}; },
              .samples = biasSetSamples(false)});
}

} // namespace weft::ops
