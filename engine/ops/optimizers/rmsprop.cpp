// SPDX-License-Identifier: Apache-2.0
// RMSprop as PyTorch's RMSprop (centered=False), with r = rate_scale * rate, g' = g + weight_decay
// w, v' = alpha v + (1 - alpha) g'^2 and u = g' / (sqrt(v') + epsilon):
//   rmsprop:           w' = w - r u
//   rmsprop_momentum:  m' = momentum m + u;  w' = w - r m'
#include "ops/optimizers/update.h"

namespace weft::ops {

namespace {

std::vector<AttributeSpec> rmspropAttributes(bool hasMomentum) {
    std::vector<AttributeSpec> specs = {
        {.name = "alpha",
         .defaultValue = 0.99,
         .help = "Decay rate of the running mean of squared gradients."},
        denominatorEpsilon(),
        coupledDecay(),
        rateScale()};
    if (hasMomentum) {
        specs.push_back({.name = "momentum", .defaultValue = 0.9, .help = "Momentum factor."});
    }
    return specs;
}

} // namespace

void rmsprop(OpList& list) {
    Op plain{.name = "rmsprop",
             .help = "One update of RMSprop: w' = w - rate g / (sqrt(v') + epsilon), with v' the "
                     "running mean of g^2.",
             .inputs = {{"w"}, {"g"}, {"v"}, {"rate", OperandType::number}},
             .outputs = {"w_next", "v_next"},
             .attributes = rmspropAttributes(false),
             .shape = updateShape(1),
             .placement = "~..., ~..., ~..., ~() -> ..., ...",
             .cost = perElement(10),
             .inPlace = {{0, 0}, {2, 1}}};
    Op momentum{.name = "rmsprop_momentum",
                .help = "One update of RMSprop with momentum: m' = momentum m + g / (sqrt(v') + "
                        "epsilon), w' = w - rate m'.",
                .inputs = {{"w"}, {"g"}, {"v"}, {"m"}, {"rate", OperandType::number}},
                .outputs = {"w_next", "v_next", "m_next"},
                .attributes = rmspropAttributes(true),
                .shape = updateShape(2),
                .placement = "~..., ~..., ~..., ~..., ~() -> ..., ..., ...",
                .cost = perElement(12),
                .inPlace = {{0, 0}, {2, 1}, {3, 2}}};
    const Attributes with = {{"weight_decay", 0.1}, {"rate_scale", 0.5}};
    for (const Shape& w : sampleParameters()) {
        plain.samples.push_back({.inputs = {w, w, w, {}}, .attributes = with, .positive = true});
        momentum.samples.push_back(
            {.inputs = {w, w, w, w, {}}, .attributes = with, .positive = true});
    }
    list.add(std::move(plain));
    list.add(std::move(momentum));
}

} // namespace weft::ops
