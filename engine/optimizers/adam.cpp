// SPDX-License-Identifier: Apache-2.0
// adam: moments of the gradient with bias correction. The op `adam` states the formula.
#include "optimizers/adam.h"

namespace weft::optimizers {

std::vector<AttributeSpec> adamAttributes(AttributeSpec decay) {
    return {decayRate("beta1", 0.9, "Decay rate of the first moment."),
            decayRate("beta2", 0.999, "Decay rate of the second moment."), denominatorEpsilon(),
            std::move(decay)};
}

void updateByAdam(ParameterUpdate& update, bool isDecoupled) {
    Attributes with = update.scaledAttributes();
    for (const char* name : {"beta1", "beta2", "epsilon"}) {
        with.set(name, update.attributes().real(name));
    }
    with.set("decoupled", isDecoupled);
    const std::vector<ValueId> next =
        update.addAll("adam",
                      {update.weight(), update.gradient(), update.state("mean"),
                       update.state("square"), update.learningRate(), update.updateNumber()},
                      std::move(with));
    update.setWeight(next[0]);
    update.setState("mean", next[1]);
    update.setState("square", next[2]);
}

void adam(OptimizerList& list) {
    list.add({.info = {.name = "adam",
                       .help = "Adam; weight decay is added to the gradient. PyTorch: Adam.",
                       .attributes = adamAttributes(coupledWeightDecay())},
              .update = [](ParameterUpdate& update) { updateByAdam(update, false); },
              .readsUpdateNumber = true,
              .samples = {{{"epsilon", 0.01}, {"weight_decay", 0.05}}}});
}

} // namespace weft::optimizers
