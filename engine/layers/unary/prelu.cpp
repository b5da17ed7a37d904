// SPDX-License-Identifier: Apache-2.0
// prelu: y = relu(x) - slope relu(-x), with a trained slope for all channels or for each
#include "layers/layer.h"

#include <fmt/format.h>

namespace weft::layers {

namespace {

void lowerPrelu(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    if (shape.size() < 2) {
        lowering.refuse(
            fmt::format("input is {}; prelu expects [batch, channels, ...]", toString(shape)), "x");
        return;
    }
    const Shape perChannel{shape[1]};
    const bool isPerChannel = lowering.attributes().boolean("per_channel");
    ValueId slope =
        lowering.parameter("weight", isPerChannel ? perChannel : Shape{1},
                           {"constant", {{"value", lowering.attributes().real("initial_slope")}}});
    if (!isPerChannel) {
        slope = lowering.add("broadcast_all", {lowering.add("sum_all", {slope})},
                             {{"shape", perChannel}});
    }
    const ValueId below = lowering.add("relu", {lowering.add("neg", {x})});
    lowering.output("y", lowering.add("subtract", {lowering.add("relu", {x}),
                                                   lowering.add("channel_scale", {below, slope},
                                                                {{"dim", std::int64_t{1}}})}));
}

} // namespace

void prelu(LayerList& list) {
    list.add({.info = {.kind = "prelu",
                       .title = "PReLU",
                       .category = "activation",
                       .help = "PReLU: y = x where x > 0, else slope x, with a trained slope; its "
                               "gradient is 0 at 0. PyTorch: PReLU, with num_parameters=1 unless "
                               "per_channel is set; ONNX: PRelu.",
                       .synonyms = {"parametric relu"},
                       .inputs = {{.name = "x", .help = "[batch, channels, ...]"}},
                       .outputs = {{.name = "y", .help = "shape of x"}},
                       .attributes = withUpdateAttributes(
                           {{.name = "per_channel",
                             .defaultValue = false,
                             .help = "Train a slope for each channel instead of one for all."},
                            {.name = "initial_slope",
                             .defaultValue = 0.25,
                             .help = "Slope for negative x before training."}}),
                       .parameters = {{.name = "weight",
                                       .help = "[1], or [channels] with per_channel: the slope"}}},
              .lower = lowerPrelu,
              .samples = {{.inputs = {{4, 10}}},
                          {.inputs = {{3, 5, 6}}, .attributes = {{"per_channel", true}}},
                          {.inputs = {{2, 3, 5, 7}},
                           .attributes = {{"per_channel", true}, {"initial_slope", 0.5}}}}});
}

} // namespace weft::layers
