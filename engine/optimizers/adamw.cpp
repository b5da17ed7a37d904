// SPDX-License-Identifier: Apache-2.0
// adamw: adam, whose weight decay acts on the weight instead of the gradient
#include "optimizers/adam.h"

namespace weft::optimizers {

void adamw(OptimizerList& list) {
    list.add({.info = {.name = "adamw",
                       .help = "Adam with decoupled weight decay. PyTorch: AdamW.",
                       .attributes = adamAttributes(weightDecay(
                           0.01, "Decoupled weight decay: learning rate times weight_decay times "
                                 "the weight is subtracted from the weight."))},
              .update = [](ParameterUpdate& update) { updateByAdam(update, true); },
              .readsUpdateNumber = true,
              .samples = {{{"epsilon", 0.01}}}});
}

} // namespace weft::optimizers
