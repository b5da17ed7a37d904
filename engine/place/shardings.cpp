// SPDX-License-Identifier: Apache-2.0
#include "place/shardings.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

MeshId Shardings::mesh(const Mesh& mesh) {
    const auto found = std::ranges::find(meshes_, mesh);
    if (found != meshes_.end()) {
        return {static_cast<std::uint32_t>(found - meshes_.begin())};
    }
    meshes_.push_back(mesh);
    return {static_cast<std::uint32_t>(meshes_.size() - 1)};
}

ShardingId Shardings::sharding(MeshId mesh, const Placements& placements) {
    // The key leaves out the grain: equal parts are equal.
    key_.assign(1, mesh.value);
    for (const Placement& placement : placements) {
        key_.push_back(static_cast<std::uint64_t>(placement.kind));
        if (placement.isSplit()) {
            key_.push_back(static_cast<std::uint64_t>(placement.dim));
            key_.insert(key_.end(), placement.cuts.begin(), placement.cuts.end());
        }
    }
    const auto [found, isNew] =
        shardingIds_.try_emplace(key_, ShardingId{static_cast<std::uint32_t>(shardings_.size())});
    if (isNew) {
        shardings_.push_back({mesh, placements});
    }
    return found->second;
}

ShardingId Shardings::replicated(MeshId mesh) {
    replicated_.resize(meshes_.size());
    ShardingId& known = replicated_[mesh.value];
    if (known.isNone()) {
        known = sharding(mesh, Placements(at(mesh).axes()));
    }
    return known;
}

ShardingId Shardings::withoutPartial(ShardingId id) {
    if (withoutPartial_.size() < shardings_.size()) {
        withoutPartial_.resize(shardings_.size());
    }
    if (withoutPartial_[id.value].isNone()) {
        Placements placements = at(id).placements;
        for (Placement& placement : placements) {
            if (placement.isPartial()) {
                placement = {};
            }
        }
        const ShardingId rest = sharding(at(id).mesh, placements);
        withoutPartial_[id.value] = rest;
    }
    return withoutPartial_[id.value];
}

TypeId Shardings::type(DType dtype, const Shape& shape) {
    key_.assign(1, static_cast<std::uint64_t>(dtype));
    key_.insert(key_.end(), shape.begin(), shape.end());
    const auto [found, isNew] =
        typeIds_.try_emplace(key_, TypeId{static_cast<std::uint32_t>(types_.size())});
    if (isNew) {
        types_.push_back({dtype, shape});
    }
    return found->second;
}

const Shardings::ChangePath& Shardings::change(TypeId type, ShardingId from, ShardingId to) {
    static const ChangePath nothing;
    if (from == to) {
        return nothing;
    }
    constexpr unsigned bits = 21;
    ensure(((type.value | from.value | to.value) >> bits) == 0, "a plan has too many placements");
    const auto [found, isNew] = paths_.try_emplace(std::uint64_t{type.value} << 2 * bits |
                                                   std::uint64_t{from.value} << bits | to.value);
    if (!isNew) {
        return found->second;
    }
    ChangePath& path = found->second;
    const Sharding source = at(from);
    const Sharding target = at(to);
    const TensorType& tensor = at(type);
    const PlannedChange change =
        planChange(tensor.shape, byteSize(tensor.dtype), at(source.mesh), source.placements,
                   at(target.mesh), target.placements, link_);
    for (const ChangeStep& step : change.steps) {
        path.steps.push_back(
            {step.kind, sharding(step.onTarget ? target.mesh : source.mesh, step.placements)});
    }
    // The planner adds a nanosecond per step.
    path.nanoseconds = std::max(0.0, change.nanoseconds - static_cast<double>(change.steps.size()));
    return path;
}

double Shardings::sumCompletionCost(TypeId type, ShardingId partial, std::size_t axis) {
    const Sharding source = at(partial);
    Placements whole = source.placements;
    whole[axis] = {};
    double least = change(type, partial, sharding(source.mesh, whole)).nanoseconds;
    for (int dim = 0; dim < static_cast<int>(at(type).shape.size()); ++dim) {
        const bool isTaken = std::ranges::any_of(
            whole, [&](const Placement& p) { return p.isSplit() && p.dim == dim; });
        if (isTaken) {
            continue;
        }
        Placements parts = whole;
        parts[axis] = {.kind = Placement::Kind::split,
                       .dim = dim,
                       .grain = 1,
                       .cuts = balancedCuts(0, at(type).shape[static_cast<std::size_t>(dim)],
                                            at(source.mesh).shape[axis])};
        least = std::min(least, change(type, partial, sharding(source.mesh, parts)).nanoseconds);
    }
    return least;
}

} // namespace weft
