// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: appends the backward ops of a loss. Each op's gradient rule builds them;
// contributions of several consumers are summed. Afterwards `graph.gradients` holds the total
// gradient of every value on the way.

#include "graph/builder.h"

namespace weft {

/// Follows only paths that end in a trainable parameter. The seed is the argument `loss_scale` (1
/// unless a narrow type needs more). Throws Error{design} naming op and layer if a gradient must
/// pass an op without one; diagnostics report that earlier.
void differentiate(Graph& graph, const OpList& ops, ValueId loss);

} // namespace weft
