// SPDX-License-Identifier: Apache-2.0
#pragma once
// The part of a design that inference uses: the design without losses, metrics and what only they
// read, such as targets.

#include "lower/lower.h"

#include <vector>

namespace weft {

struct InferenceDesign {
    ExpandedDesign design;
    std::vector<Origin> outputs; ///< layers whose values no other layer reads
};

/// Returns the part of the design that inference uses. `lowered` is the whole design lowered for
/// inference. It tells which layers are losses and which layers have weights.
[[nodiscard]] InferenceDesign inferencePart(const ExpandedDesign& design, const Graph& lowered);

/// Makes the values of the outputs results of the graph, named after their ports.
void addOutputs(Lowered& lowered, const InferenceDesign& applied);

} // namespace weft
