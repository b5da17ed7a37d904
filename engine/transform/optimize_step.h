// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: appends the update of every parameter that has a gradient, the slots of the
// optimizer's state, and the norm of all gradients (squared, result "gradient_norm_squared"), by
// which they are clipped where asked.

#include "graph/builder.h"
#include "graph/graph_parts.h"
#include <weft/design.h>
#include <weft/settings.h>

namespace weft {

/// Says what each slot's update left behind, and takes over what `last` says that an earlier graph
/// by the same settings had of slots that were taken over; none: all is made anew.
UpdateParts optimizeStep(Graph& graph, const OpList& ops, const TrainingSettings& training,
                         GraphTaking* taking = nullptr, const UpdateParts& last = {});

/// Those there are, with their attributes.
[[nodiscard]] const std::vector<SettingKind>& optimizers();

} // namespace weft
