// SPDX-License-Identifier: Apache-2.0
#pragma once
// A value as the members of a mesh hold it: made from a whole one with unequal Partial shares, put
// together again, and moved by block transfers. Numbers are whole, so that sums are exact.

#include "place/plan.h"

#include <optional>
#include <random>
#include <vector>

namespace weft::test {

struct ShardedValue {
    Shape shape;
    Mesh mesh;
    Placements placements;
    std::vector<std::vector<double>> parts; ///< by member, row-major in its box
};

using Random = std::mt19937;

[[nodiscard]] std::vector<double> drawWhole(const Shape& shape, Random& random);
[[nodiscard]] ShardedValue sharding(const std::vector<double>& whole, const Shape& shape,
                                    const Mesh& mesh, const Placements& placements, Random& random);
/// None when members that should hold the same do not.
[[nodiscard]] std::optional<std::vector<double>> gathered(const ShardedValue& value);
/// By blockTransfers alone: what receives nothing is zero.
[[nodiscard]] ShardedValue moved(const ShardedValue& value, const Mesh& to,
                                 const Placements& target);

/// Meshes of devices below `devices`, of one or two axes.
[[nodiscard]] Mesh drawMesh(std::uint32_t devices, Random& random);
/// Any placement; Splits have random cuts, now and then empty parts.
[[nodiscard]] Placements drawPlacements(const Shape& shape, const Mesh& mesh, Random& random);

} // namespace weft::test
