// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim; its gradient for b sums dy over all others.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

AttributeSpec dimAttribute() {
    return {
        .name = "dim", .defaultValue = std::int64_t{-1}, .help = "Dim of the bias; -1 is the last."};
}

std::string biasLetters(const Signature& at) {
    const std::size_t rank = at.inputs[0].shape.size();
    return lettersWith(rank, dimOf(at.attributes, rank), "o");
}

void inferSum(Inference& at) {
    const int dim = dimOrRefusal(at, 0);
    if (dim < 0 || !hasShape(at, 1, {at.shape(0)[static_cast<std::size_t>(dim)]}, "bias")) {
        return;
    }
    at.output(0).shape = at.shape(0);
}

void inferBiasGradient(Inference& at) {
    const int dim = dimOrRefusal(at, 0);
    if (dim >= 0) {
        at.output(0).shape = {at.shape(0)[static_cast<std::size_t>(dim)]};
    }
}

} // namespace

void bias(OpList& list) {
    list.add(
        {.name = "bias_add",
         .inputs = {{"x"}, {"b"}},
         .outputs = {"y"},
         .attributes = {dimAttribute()},
         .shape = inferSum,
         .gradient =
             [](Gradient& at) {
                 if (at.wants(0)) {
                     at.set(0, at.dy());
                 }
                 if (at.wants(1)) {
                     at.set(1, at.add("bias_gradient", {at.dy()}, at.attributes()));
                 }
             },
         .placementOf =
             [](const Signature& at) { return fmt::format("{0} + o -> {0}", biasLetters(at)); },
         .cost = [](const Signature& at) { return Flops{at.inputs[0].elements()}; },
         .inPlace = {{0, 0}},
         .samples = {{.inputs = {{5, 7}, {7}}},
                     {.inputs = {{1, 1}, {1}}},
                     {.inputs = {{3, 5, 6}, {6}}},
                     {.inputs = {{3, 5, 4, 7}, {5}}, .attributes = {{"dim", std::int64_t{1}}}}},
         .onnx = "Add"});
    list.add(
        {.name = "bias_gradient",
         .inputs = {{"dy"}},
         .outputs = {"db"},
         .attributes = {dimAttribute()},
         .shape = inferBiasGradient,
         .placementOf = [](const Signature& at) { return fmt::format("{} -> o", biasLetters(at)); },
         .cost = [](const Signature& at) { return Flops{at.inputs[0].elements()}; },
         .samples = {{.inputs = {{5, 7}}},
                     {.inputs = {{1, 1}}},
                     {.inputs = {{3, 5, 6}}},
                     {.inputs = {{3, 5, 4, 7}}, .attributes = {{"dim", std::int64_t{1}}}}}});
}

} // namespace weft::ops
