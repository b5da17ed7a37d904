// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a design that is applied once it is trained: without losses and metrics, and without
// what only they read, such as targets.

#include "lower/lower.h"

#include <vector>

namespace weft {

struct AppliedDesign {
    ExpandedDesign design;
    std::vector<Origin> outputs; ///< layers whose values nothing else takes in
};

/// `lowered`: the whole design in the mode of inference, which tells losses and weights apart.
[[nodiscard]] AppliedDesign appliedPart(const ExpandedDesign& design, const Graph& lowered);

/// The outputs' values as results of the graph, by the names of their ports.
void addOutputs(Lowered& lowered, const AppliedDesign& applied);

} // namespace weft
