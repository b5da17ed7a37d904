// SPDX-License-Identifier: Apache-2.0
// y[b, c] = the mean of x over all rows and columns; the gradient spreads dy evenly. The divisor is
// the whole count, so that parts of rows or columns add up.
#include "graph/builder.h"
#include "ops/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

void inferMean(Inference& at) {
    if (isPicture(at, 0, "input", "global_average_pool")) {
        at.output(0).shape = {at.shape(0)[0], at.shape(0)[1]};
    }
}

void inferGlobalAveragePoolGradient(Inference& at) {
    if (at.shape(0).size() != 2) {
        at.refuse(fmt::format("gradient is {}; global_average_pool gives [batch, channels]",
                              toString(at.shape(0))));
        return;
    }
    const auto size = pairOf(at.attributes(), "size");
    at.output(0).shape = {at.shape(0)[0], at.shape(0)[1], size[0], size[1]};
}

} // namespace

void global_average_pool(OpList& list) {
    list.add({.name = "global_average_pool",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = inferMean,
              .gradient =
                  [](Gradient& at) {
                      at.set(0, at.add("global_average_pool_gradient", {at.dy()},
                                       {{"size", List{at.inputShape(0)[2], at.inputShape(0)[3]}}}));
                  },
              .placement = "b c y x -> b c",
              .cost = [](const Signature& at) { return Flops{at.inputs[0].elements()}; },
              .samples = {{.inputs = {{3, 5, 6, 7}}},
                          {.inputs = {{1, 1, 1, 1}}},
                          {.inputs = {{2, 17, 1, 5}}}},
              .onnx = "GlobalAveragePool"});
    list.add({.name = "global_average_pool_gradient",
              .inputs = {{"dy"}},
              .outputs = {"dx"},
              .attributes = {sizeAttribute()},
              .shape = inferGlobalAveragePoolGradient,
              .placement = "b c -> b c y x",
              .cost = [](const Signature& at) { return Flops{at.outputs[0].elements()}; },
              .samples = {{.inputs = {{3, 5}}, .attributes = {{"size", List{6, 7}}}},
                          {.inputs = {{1, 1}}, .attributes = {{"size", List{1, 1}}}},
                          {.inputs = {{2, 17}}, .attributes = {{"size", List{1, 5}}}}}});
}

} // namespace weft::ops
