// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers for what planning compares all the time: meshes, placements on a mesh (a spread), types
// of values, and the change between two spreads with its price. Each is worked out once; equal
// things have equal numbers. Lives as long as one call of `place`.

#include "graph/node_kinds.h"
#include "graph/signature.h"
#include "place/reshard.h"

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft {

/// A placement on a mesh. Two that give every device the same part in the same way are one.
struct Spread {
    MeshId mesh;
    Placements placements;
};

class Spreads {
public:
    explicit Spreads(LinkSheet link) : link_(std::move(link)) {}

    MeshId mesh(const Mesh& mesh);
    [[nodiscard]] const Mesh& at(MeshId id) const { return meshes_[id.value]; }
    [[nodiscard]] const std::vector<Mesh>& meshes() const { return meshes_; }

    SpreadId spread(MeshId mesh, const Placements& placements);
    [[nodiscard]] const Spread& at(SpreadId id) const { return spreads_[id.value]; }
    SpreadId replicated(MeshId mesh);
    /// Partial becomes Replicated: where a value rests, and how its gradient lies.
    SpreadId rest(SpreadId id);

    TypeId type(DType dtype, const Shape& shape);
    [[nodiscard]] const TensorType& at(TypeId id) const { return types_[id.value]; }

    struct Step {
        CollectiveKind kind = CollectiveKind::alias;
        SpreadId spread;
    };
    struct Path {
        std::vector<Step> steps;
        double nanoseconds = 0; ///< of what is sent; local steps are free
    };
    /// From one to the other; no steps when they are the same.
    const Path& change(TypeId type, SpreadId from, SpreadId to);
    /// What it costs at least to end the sum along that axis.
    double endingCost(TypeId type, SpreadId partial, std::size_t axis);

private:
    const LinkSheet link_;
    std::vector<Mesh> meshes_;
    std::vector<Spread> spreads_;
    std::vector<TensorType> types_;
    ByNumbers<SpreadId> bySpread_;
    ByNumbers<TypeId> byType_;
    std::unordered_map<std::uint64_t, Path> byChange_;
    std::vector<std::uint64_t> key_;   ///< kept for its memory
    std::vector<SpreadId> replicated_; ///< by MeshId
    std::vector<SpreadId> rests_;      ///< by SpreadId
};

} // namespace weft
