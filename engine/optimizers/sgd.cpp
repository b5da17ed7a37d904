// SPDX-License-Identifier: Apache-2.0
// sgd: w' = w - r g, or with momentum m' = momentum m + g, w' = w - r m'
#include "optimizers/optimizer.h"

namespace weft::optimizers {

namespace {

void updateBySgd(ParameterUpdate& update) {
    Attributes with = update.scaledAttributes();
    if (update.attributes().real("momentum") == 0) {
        update.setWeight(update.add(
            "sgd", {update.weight(), update.gradient(), update.learningRate()}, std::move(with)));
        return;
    }
    with.set("momentum", update.attributes().real("momentum"));
    with.set("nesterov", update.attributes().boolean("nesterov"));
    const std::vector<ValueId> next = update.addAll(
        "sgd_momentum",
        {update.weight(), update.gradient(), update.state("momentum"), update.learningRate()},
        std::move(with));
    update.setWeight(next[0]);
    update.setState("momentum", next[1]);
}

} // namespace

void sgd(OptimizerList& list) {
    list.add(
        {.info = {.name = "sgd",
                  .help = "Stochastic gradient descent with momentum. PyTorch: SGD with "
                          "dampening=0.",
                  .attributes = {decayRate("momentum", 0.0, "Momentum factor."),
                                 {.name = "nesterov",
                                  .defaultValue = false,
                                  .help = "Nesterov momentum. Without momentum it has no effect."},
                                 coupledWeightDecay()}},
         .update = updateBySgd,
         .samples = {{}, {{"momentum", 0.9}}, {{"momentum", 0.8}, {"nesterov", true}}}});
}

} // namespace weft::optimizers
