// SPDX-License-Identifier: Apache-2.0
#pragma once
// What adam and adamw share: their attributes and their update, which differ in the weight decay.

#include "optimizers/optimizer.h"

namespace weft::optimizers {

/// Returns beta1, beta2 and epsilon, then the given weight decay.
[[nodiscard]] std::vector<AttributeSpec> adamAttributes(AttributeSpec decay);

/// Adds the ops of the update. `isDecoupled`: weight decay acts on the weight instead of the
/// gradient (AdamW).
void updateByAdam(ParameterUpdate& update, bool isDecoupled);

} // namespace weft::optimizers
