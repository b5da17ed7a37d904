// SPDX-License-Identifier: Apache-2.0
// rmsprop: v' = alpha v + (1 - alpha) g^2, u = g / (sqrt(v') + epsilon), w' = w - r u, or with
// momentum m' = momentum m + u, w' = w - r m'
#include "optimizers/optimizer.h"

namespace weft::optimizers {

namespace {

void updateByRmsprop(ParameterUpdate& update) {
    Attributes with = update.scaledAttributes();
    with.set("alpha", update.attributes().real("alpha"));
    with.set("epsilon", update.attributes().real("epsilon"));
    const double momentum = update.attributes().real("momentum");
    std::vector<ValueId> inputs = {update.weight(), update.gradient(), update.state("square")};
    if (momentum > 0) {
        with.set("momentum", momentum);
        inputs.push_back(update.state("momentum"));
    }
    inputs.push_back(update.learningRate());
    const std::vector<ValueId> next = update.addAll(momentum > 0 ? "rmsprop_momentum" : "rmsprop",
                                                    std::move(inputs), std::move(with));
    update.setWeight(next[0]);
    update.setState("square", next[1]);
    if (momentum > 0) {
        update.setState("momentum", next[2]);
    }
}

} // namespace

void rmsprop(OptimizerList& list) {
    list.add({.info = {.name = "rmsprop",
                       .help = "RMSprop: divides the gradient by the root of a running mean of its "
                               "square. PyTorch: RMSprop with centered=False.",
                       .attributes = {decayRate("alpha", 0.99,
                                                "Decay rate of the running mean of squared "
                                                "gradients (smoothing constant)."),
                                      denominatorEpsilon(),
                                      decayRate("momentum", 0.0, "Momentum factor."),
                                      coupledWeightDecay()}},
              .update = updateByRmsprop,
              .samples = {{{"epsilon", 0.01}, {"weight_decay", 0.05}},
                          {{"epsilon", 0.01}, {"momentum", 0.9}}}});
}

} // namespace weft::optimizers
