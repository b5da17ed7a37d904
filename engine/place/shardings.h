// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers the things that planning compares often: meshes, placements on a mesh (shardings) and
// types of values; also caches the changes between two shardings with their prices. Equal things
// have equal numbers. Lives as long as the tables of a placement.

#include "graph/node_kinds.h"
#include "graph/signature.h"
#include "place/reshard.h"

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft {

/// A placement on a mesh. Shardings that give every device the same part in the same way have the
/// same number.
struct Sharding {
    MeshId mesh;
    Placements placements;
};

class Shardings {
public:
    explicit Shardings(LinkSheet link) : link_(std::move(link)) {}

    MeshId mesh(const Mesh& mesh); ///< returns its number
    [[nodiscard]] const Mesh& at(MeshId id) const { return meshes_[id.value]; }
    [[nodiscard]] const std::vector<Mesh>& meshes() const { return meshes_; }

    ShardingId sharding(MeshId mesh, const Placements& placements); ///< returns its number
    [[nodiscard]] const Sharding& at(ShardingId id) const { return shardings_[id.value]; }
    ShardingId replicated(MeshId mesh); ///< the value whole on every device
    /// Replaces Partial by Replicated: the placement in which a value is stored and its gradient is
    /// expected.
    ShardingId withoutPartial(ShardingId id); ///< Replicated in place of Partial

    TypeId type(DType dtype, const Shape& shape); ///< returns its number
    [[nodiscard]] const TensorType& at(TypeId id) const { return types_[id.value]; }

    struct Step {
        CollectiveKind kind = CollectiveKind::alias;
        ShardingId sharding; ///< placement after the step
    };
    struct ChangePath {
        std::vector<Step> steps; ///< empty: nothing to do
        double nanoseconds = 0;  ///< cost of what is sent; local steps are free
    };
    /// Returns the steps from one sharding to the other; none if they are the same.
    const ChangePath& change(TypeId type, ShardingId from, ShardingId to); ///< cheapest steps
    /// Returns the minimal cost of completing the sum along that axis.
    double sumCompletionCost(TypeId type, ShardingId partial, std::size_t axis);

private:
    const LinkSheet link_;                                ///< prices what is sent
    std::vector<Mesh> meshes_;                            ///< indexed by MeshId
    std::vector<Sharding> shardings_;                     ///< indexed by ShardingId
    std::vector<TensorType> types_;                       ///< indexed by TypeId
    ByNumbers<ShardingId> shardingIds_;                   ///< by mesh and cuts
    ByNumbers<TypeId> typeIds_;                           ///< by dtype and shape
    std::unordered_map<std::uint64_t, ChangePath> paths_; ///< cache of `change`
    std::vector<std::uint64_t> key_;                      ///< member only to reuse its memory
    std::vector<ShardingId> replicated_;                  ///< indexed by MeshId
    std::vector<ShardingId> withoutPartial_;              ///< indexed by ShardingId
};

} // namespace weft
