// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: appends the update of every parameter that has a gradient, the slots of the
// optimizer's state, and the norm of all gradients (squared, result "gradient_norm_squared"), by
// which they are clipped where asked.

#include "graph/builder.h"
#include <weft/design.h>
#include <weft/settings.h>

namespace weft {

void optimizeStep(Graph& graph, const OpList& ops, const TrainingSettings& training);

/// Those there are, with their attributes.
[[nodiscard]] const std::vector<SettingKind>& optimizers();

} // namespace weft
