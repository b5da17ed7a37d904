// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first part of a preview: one pass over a study's plan. It runs after every edit, so it caches
// results for equal values and changes of placement.

#include "front/preview/study.h"
#include <weft/preview.h>

#include <array>
#include <map>
#include <vector>

namespace weft {

/// Cache between passes. The keys are ids of types and shardings in `tables`.
struct PlacedPartCache {
    std::shared_ptr<PlaceTables> tables;
    std::vector<Flops> flops; ///< indexed by PlanNode::alike; -1: not computed yet
    /// Elements that each device sends: by type, sharding before and sharding after.
    std::map<std::array<std::uint32_t, 3>, std::vector<std::int64_t>> sent;
    std::map<std::array<std::uint32_t, 2>, Bytes> held; ///< bytes of a value by type and sharding
};

/// Returns the preview of one of the study's steps; without a plan, only the layers' properties.
[[nodiscard]] Preview placedPart(const Study& studied, std::size_t stepIndex,
                                 PlacedPartCache& memory);

} // namespace weft
