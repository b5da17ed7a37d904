// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent as PyTorch's SGD (dampening 0), with r = rate_scale * rate and
// g' = g + weight_decay w:
//   sgd:           w' = w - r g'
//   sgd_momentum:  m' = momentum m + g';  w' = w - r m', or w - r (g' + momentum m') with nesterov
#include "ops/optimizers/update.h"

namespace weft::ops {

void sgd(OpList& list) {
    Op plain{.name = "sgd",
             .help = "One update of SGD: w' = w - rate (g + weight_decay w).",
             .inputs = {{"w"}, {"g"}, {"rate", OperandType::number}},
             .outputs = {"w_next"},
             .attributes = {coupledDecay(), rateScale()},
             .shape = updateShape(0),
             .placement = "~..., ~..., ~() -> ...",
             .cost = perElement(4),
             .inPlace = {{0, 0}},
             .undeclaredRows = {"P, P, R -> P: a parameter is never stored as Partial"}};
    Op momentum{
        .name = "sgd_momentum",
        .help = "One update of SGD with momentum: m' = momentum m + g + weight_decay w, w' = w - "
                "rate m'.",
        .inputs = {{"w"}, {"g"}, {"m"}, {"rate", OperandType::number}},
        .outputs = {"w_next", "m_next"},
        .attributes = {{.name = "momentum", .defaultValue = 0.9, .help = "Momentum factor."},
                       {.name = "nesterov", .defaultValue = false, .help = "Nesterov momentum."},
                       coupledDecay(),
                       rateScale()},
        .shape = updateShape(1),
        .placement = "~..., ~..., ~..., ~() -> ..., ...",
        .cost = perElement(6),
        .inPlace = {{0, 0}, {2, 1}},
        .undeclaredRows = {"P, P, P, R -> P, P: a parameter is never stored as Partial"}};
    for (const Shape& w : sampleParameters()) {
        plain.samples.push_back(
            {.inputs = {w, w, {}}, .attributes = {{"weight_decay", 0.1}, {"rate_scale", 0.5}}});
        momentum.samples.push_back({.inputs = {w, w, w, {}},
                                    .attributes = {{"weight_decay", 0.1},
                                                   {"nesterov", w.size() > 1},
                                                   {"rate_scale", 0.5}}});
    }
    list.add(std::move(plain));
    list.add(std::move(momentum));
}

} // namespace weft::ops
