// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists the collectives of a plan that move elements, including those within the body of a repeat,
// after everything before that repeat. Each has one row in a preview, whatever the number of
// iterations.

#include "place/plan.h"

#include <cstdint>
#include <vector>

namespace weft {

struct CollectiveRow {
    /// The plan that contains it: for a collective within iterations a body.
    const Plan* plan = nullptr;
    PlanNodeId node;
    std::int64_t rounds = 1; ///< product of the counts of all enclosing repeats
};
[[nodiscard]] std::vector<CollectiveRow> collectiveRows(const Plan& plan);

/// Returns the row of each collective in their order in the unrolled plan (place/unroll.h).
[[nodiscard]] std::vector<std::size_t> rowsLaidOut(const Plan& plan);

} // namespace weft
