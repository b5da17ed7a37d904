// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: appends the backward ops of a loss. Each op's own rule builds them; contributions
// of several consumers are added. Afterwards `graph.gradients` holds the total gradient of every
// value it passed through.

#include "graph/builder.h"

namespace weft {

/// Only paths that end in a trainable parameter are followed. The seed is the argument `loss_scale`
/// (1 unless a narrower type wants more). A value that needs a gradient through an op without one
/// is a Diagnostic's business before this: here it throws Error{design} naming op and layer.
void differentiate(Graph& graph, const OpList& ops, ValueId loss);

} // namespace weft
