// SPDX-License-Identifier: Apache-2.0
// dampened_sgd: m' = momentum m + (1 - momentum) g, w' = w - r m'
#include "optimizers/optimizer.h"

namespace weft::example::optimizers {

namespace {

void updateByDampenedSgd(ParameterUpdate& update) {
    const double momentum = update.attributes().real("momentum");
    const ValueId kept = update.add("scale", {update.state("mean")}, {{"factor", momentum}});
    const ValueId taken = update.add("scale", {update.gradient()}, {{"factor", 1 - momentum}});
    const ValueId mean = update.add("add", {kept, taken});
    update.setState("mean", mean);
    update.setWeight(update.add("sgd", {update.weight(), mean, update.learningRate()},
                                update.scaledAttributes()));
}

} // namespace

void dampened_sgd(OptimizerList& list) {
    list.add({.info = {.name = "dampened_sgd",
                       .help = "Stochastic gradient descent along a running mean of the gradient. "
                               "PyTorch: SGD with dampening equal to momentum.",
                       .attributes = {decayRate("momentum", 0.9, "Momentum factor."),
                                      coupledWeightDecay()}},
              .update = updateByDampenedSgd,
              .samples = {{}, {{"momentum", 0.5}, {"weight_decay", 0.1}}}});
}

} // namespace weft::example::optimizers
