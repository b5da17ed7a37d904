// SPDX-License-Identifier: Apache-2.0
// y[b, c] = the mean of x over all rows and columns; the gradient spreads dy evenly. The divisor is
// the count in the whole value, so that parts of rows or columns add up.
#include "graph/builder.h"
#include "ops/windows/windows.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using List = std::vector<std::int64_t>;

void inferMean(ShapeInference& inference) {
    if (isPicture(inference, 0, "input", "global_average_pool")) {
        inference.output(0).shape = {inference.shape(0)[0], inference.shape(0)[1]};
    }
}

void inferGlobalAveragePoolGradient(ShapeInference& inference) {
    if (inference.shape(0).size() != 2) {
        inference.refuse(
            fmt::format("gradient is {}; global_average_pool produces [batch, channels]",
                        toString(inference.shape(0))));
        return;
    }
    const auto size = pairOf(inference.attributes(), "size");
    inference.output(0).shape = {inference.shape(0)[0], inference.shape(0)[1], size[0], size[1]};
}

} // namespace

void global_average_pool(OpList& list) {
    list.add(
        {.name = "global_average_pool",
         .help = "The mean of each channel over all rows and columns.",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .shape = inferMean,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(0, gradient.add("global_average_pool_gradient", {gradient.dy()},
                                              {{"size", List{gradient.inputShape(0)[2],
                                                             gradient.inputShape(0)[3]}}}));
             },
         .placement = "b c y x -> b c",
         .cost = [](const Signature& signature) { return Flops{signature.inputs[0].elements()}; },
         .samples = {{.inputs = {{3, 5, 6, 7}}},
                     {.inputs = {{1, 1, 1, 1}}},
                     {.inputs = {{2, 17, 1, 5}}}},
         .onnx = "GlobalAveragePool"});
    list.add(
        {.name = "global_average_pool_gradient",
         .help =
             "Gradient of global_average_pool: dy / the number of positions, at every position.",
         .inputs = {{"dy"}},
         .outputs = {"dx"},
         .attributes = {sizeAttribute()},
         .shape = inferGlobalAveragePoolGradient,
         .placement = "b c -> b c y x",
         .cost = [](const Signature& signature) { return Flops{signature.outputs[0].elements()}; },
         .samples = {{.inputs = {{3, 5}}, .attributes = {{"size", List{6, 7}}}},
                     {.inputs = {{1, 1}}, .attributes = {{"size", List{1, 1}}}},
                     {.inputs = {{2, 17}}, .attributes = {{"size", List{1, 5}}}}}});
}

} // namespace weft::ops
