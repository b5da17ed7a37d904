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
    const Plan* plan = nullptr; ///< plan that contains the node: of a repeat's body, or the whole
    PlanNodeId node;            ///< the collective
    std::int64_t rounds = 1;    ///< product of the counts of all enclosing repeats
};
[[nodiscard]] std::vector<CollectiveRow> collectiveRows(const Plan& plan);

/// Returns the index of its row for each collective of the unrolled plan (place/unroll.h).
[[nodiscard]] std::vector<std::size_t> rowsInUnrolledOrder(const Plan& plan);

} // namespace weft
