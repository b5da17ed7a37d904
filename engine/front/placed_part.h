// SPDX-License-Identifier: Apache-2.0
#pragma once
// The first part of a preview: one pass over a study's plan. It runs after every edit: what equal
// values and changes come to is worked out once.

#include "front/study.h"
#include <weft/preview.h>

#include <array>
#include <map>
#include <vector>

namespace weft {

/// What one pass remembers for the next, of one set of tables, which number types and shardings.
struct PlacedMemory {
    std::shared_ptr<PlaceTables> tables;
    std::vector<Flops> flops; ///< by PlanNode::alike; -1: not worked out yet
    /// What a value's change of placement sends, per device; by the numbers of type and shardings.
    std::map<std::array<std::uint32_t, 3>, std::vector<std::int64_t>> sent;
    /// Bytes of a value, keyed by type and spread.
    std::map<std::array<std::uint32_t, 2>, Bytes> held;
};

/// Preview of one of the study's steps; without a plan, only what the layers are.
[[nodiscard]] Preview placedPart(const Study& studied, std::size_t which, PlacedMemory& memory);

} // namespace weft
