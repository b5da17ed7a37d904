// SPDX-License-Identifier: Apache-2.0
#pragma once
// The collectives of a plan that move elements, those within rounds behind what goes before their
// repeat: a row each in a preview, however many rounds there are.

#include "place/plan.h"

#include <cstdint>
#include <vector>

namespace weft {

struct CollectiveRow {
    const Plan* plan = nullptr; ///< in which it stands: a body where it is of rounds
    PlanNodeId node;
    std::int64_t rounds = 1; ///< of all repeats around it together
};
[[nodiscard]] std::vector<CollectiveRow> collectiveRows(const Plan& plan);

/// The row of each collective in the order in which they stand once rounds are laid one behind the
/// other (place/unroll.h).
[[nodiscard]] std::vector<std::size_t> rowsLaidOut(const Plan& plan);

} // namespace weft
