// SPDX-License-Identifier: Apache-2.0
#pragma once
// The only planner of changes of placement: which steps lead from one placement to another, the
// kind of each step, and the costs. Every step is consistent with `blockTransfers` (plan.h).

#include "place/plan.h"
#include <weft/devices.h>

#include <vector>

namespace weft {

struct ChangeStep { ///< one step of a change of placement
    CollectiveKind kind = CollectiveKind::alias;
    bool onTarget = false; ///< after the step the value is on the target's mesh
    Placements placements; ///< after the step
    bool operator==(const ChangeStep&) const = default;
};

struct PlannedChange {
    std::vector<ChangeStep> steps; ///< empty: nothing to do
    double nanoseconds = 0;        ///< predicted time of all steps
    bool operator==(const PlannedChange&) const = default;
};

/// Returns the kind of a single step between these placements.
[[nodiscard]] CollectiveKind kindOf(const Shape& shape, const Mesh& from, const Placements& source,
                                    const Mesh& to, const Placements& target);

/// Returns the cheapest steps over that link.
[[nodiscard]] PlannedChange planChange(const Shape& shape, std::size_t elementBytes,
                                       const Mesh& from, const Placements& source, const Mesh& to,
                                       const Placements& target, const LinkSheet& link);

/// Returns the elements that each member of the mesh sends in an all-reduce along the axes that
/// stop being Partial: 2 (p - 1) / p of its part.
[[nodiscard]] std::vector<std::int64_t> sentByAllReduce(const Shape& shape, const Mesh& mesh,
                                                        const Placements& source,
                                                        const Placements& target);

/// True if the cuts of an inner axis lie within those of the outer axes that split the same dim.
[[nodiscard]] bool isWellFormed(const Shape& shape, const Mesh& mesh, const Placements& placements);

} // namespace weft
