// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: appends the update of every parameter that has a gradient, the slots of the
// optimizer's state, and the norm of all gradients (squared, result "gradient_norm_squared"), by
// which they are clipped where asked. Where a step is not all of a period, gradients are summed up
// from step to step, and what is applied, and has a norm, is their mean.

#include "graph/builder.h"
#include "optimizers/optimizer.h"
#include "transform/training_step.h"
#include <weft/design.h>

namespace weft {

/// Appends the update of a step that computes gradients: `graph` holds the backward pass. `does` is
/// one of `trainingSteps`.
void optimizeStep(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
                  const TrainingSettings& training, const TrainingStep& does = {});

/// Prepares a step without gradients: `graph` is forward only; `learning` is the same graph with
/// its backward pass, which says what is learnt. What layers need only for learning is dropped,
/// unless it is in `wanted`.
void idleStep(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
              const TrainingSettings& training, const TrainingStep& does, const Graph& learning,
              const std::vector<ValueId>& wanted = {});

} // namespace weft
