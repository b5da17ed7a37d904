// SPDX-License-Identifier: Apache-2.0
#pragma once
// The one planner of changes of placement: which steps bring a value from one placement to another,
// what each is called, and what it costs. Every step is held against `blocksOf` (plan.h).

#include "place/plan.h"
#include <weft/devices.h>

#include <vector>

namespace weft {

struct ChangeStep {
    CollectiveKind kind = CollectiveKind::alias;
    bool onTarget = false; ///< the mesh after the step is the target's
    Placements placements; ///< after the step
    bool operator==(const ChangeStep&) const = default;
};

struct PlannedChange {
    std::vector<ChangeStep> steps; ///< empty: nothing to do
    double nanoseconds = 0;
    bool operator==(const PlannedChange&) const = default;
};

/// What one step between these is called.
[[nodiscard]] CollectiveKind kindOf(const Shape& shape, const Mesh& from, const Placements& source,
                                    const Mesh& to, const Placements& target);

/// The cheapest steps over that link.
[[nodiscard]] PlannedChange planChange(const Shape& shape, std::size_t elementBytes,
                                       const Mesh& from, const Placements& source, const Mesh& to,
                                       const Placements& target, const LinkSheet& link);

/// Elements that each member of the mesh sends in an all-reduce along the axes that stop being
/// Partial: 2 (p - 1) / p of its part.
[[nodiscard]] std::vector<std::int64_t> sentByAllReduce(const Shape& shape, const Mesh& mesh,
                                                        const Placements& source,
                                                        const Placements& target);

/// Cuts of an inner axis lie in those of the outer ones that split the same dim.
[[nodiscard]] bool isWellFormed(const Shape& shape, const Mesh& mesh, const Placements& placements);

} // namespace weft
