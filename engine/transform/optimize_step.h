// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: appends the update of every parameter that has a gradient, the slots of optimizer
// state, and the squared norm of all gradients (result "gradient_norm_squared"), which clips them
// if requested. If a sync period has several steps, gradients are accumulated, and their mean is
// applied and measured.

#include "graph/builder.h"
#include "optimizers/optimizer.h"
#include "transform/training_step.h"
#include <weft/design.h>

namespace weft {

/// Appends the update of a step that computes gradients: `graph` holds the backward pass. `does` is
/// one of `trainingSteps`.
void appendUpdate(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
                  const TrainingSettings& training, const TrainingStep& does = {});

/// Prepares a step without gradients: `graph` is forward only; `learning` is the same graph with
/// its backward pass and tells what is learned. Drops what layers compute only for learning, unless
/// it is in `wanted`.
void appendUpdateWithoutGradients(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
                                  const TrainingSettings& training, const TrainingStep& does,
                                  const Graph& learning, const std::vector<ValueId>& wanted = {});

} // namespace weft
