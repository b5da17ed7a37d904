// SPDX-License-Identifier: Apache-2.0
#pragma once
// One pass over a study's plan: what a preview shows of it. It runs after every edit: what equal
// ops cost is worked out once.

#include "front/study.h"
#include "schedule/price.h"
#include <weft/preview.h>

#include <array>
#include <map>
#include <vector>

namespace weft {

/// What a kind of op costs the members of its mesh.
struct OpPrice {
    struct Member {
        Price price;
        Bytes made; ///< of results
    };
    Flops flops = {};
    std::vector<Member> members = {}; ///< none: not worked out yet
};

/// What one fold remembers for the next.
struct FoldMemory {
    std::shared_ptr<PlaceTables> tables; ///< that number the ops
    std::vector<DeviceSheet> sheets;
    std::vector<OpPrice> prices; ///< by PlanNode::alike
    /// What a value's change of placement sends, per device; by the numbers of type and spreads.
    std::map<std::array<std::uint32_t, 3>, std::vector<std::int64_t>> sent;
    /// What the members of a mesh hold of a value; by the numbers of type and spread.
    std::map<std::array<std::uint32_t, 2>, std::vector<Bytes>> held;
};

[[nodiscard]] Preview foldPreview(const Study& studied, const Design& design,
                                  const PreviewRequest& request, FoldMemory& memory);

} // namespace weft
