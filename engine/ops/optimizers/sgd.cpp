// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent as PyTorch's SGD (dampening 0), with r = rate_scale * rate and
// g' = g + weight_decay w:
//   sgd:           w' = w - r g'
//   sgd_momentum:  m' = momentum m + g';  w' = w - r m', or w - r (g' + momentum m') with nesterov
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

const AttributeSpec decaySpec = {.name = "weight_decay",
                                 .defaultValue = 0.0,
                                 .help = "Weight decay as an L2 term of the gradient."};
const AttributeSpec scaleSpec = {
    .name = "rate_scale", .defaultValue = 1.0, .help = "Factor on the learning rate."};

void updateShape(Inference& inference) {
    const std::size_t rate = inference.inputs() - 1;
    for (std::size_t k = 0; k < inference.outputs(); ++k) {
        inference.output(k) = inference.input(0);
    }
    hasShape(inference, 1, inference.shape(0), "the gradient");
    if (rate == 3) {
        hasShape(inference, 2, inference.shape(0), "the momentum");
    }
    hasShape(inference, rate, {}, "the learning rate");
}

const std::vector<Shape> weightShapes = {{4, 10}, {1, 1}, {17}, {3, 2, 3, 3}};

} // namespace

void sgd(OpList& list) {
    Op plain{.name = "sgd",
             .help = "One update of SGD: w' = w - rate (g + weight_decay w).",
             .inputs = {{"w"}, {"g"}, {"rate", Operand::number}},
             .outputs = {"w_next"},
             .attributes = {decaySpec, scaleSpec},
             .shape = updateShape,
             .placement = "~..., ~..., ~() -> ...",
             .cost = perElement(4),
             .inPlace = {{0, 0}},
             .undeclaredRows = {"P, P, R -> P: a parameter is never stored as Partial"}};
    Op momentum{
        .name = "sgd_momentum",
        .help = "One update of SGD with momentum: m' = momentum m + g + weight_decay w, w' = w - "
                "rate m'.",
        .inputs = {{"w"}, {"g"}, {"m"}, {"rate", Operand::number}},
        .outputs = {"w_next", "m_next"},
        .attributes = {{.name = "momentum", .defaultValue = 0.9, .help = "Momentum factor."},
                       {.name = "nesterov", .defaultValue = false, .help = "Nesterov momentum."},
                       decaySpec,
                       scaleSpec},
        .shape = updateShape,
        .placement = "~..., ~..., ~..., ~() -> ..., ...",
        .cost = perElement(6),
        .inPlace = {{0, 0}, {2, 1}},
        .undeclaredRows = {"P, P, P, R -> P, P: a parameter is never stored as Partial"}};
    for (const Shape& w : weightShapes) {
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
