// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/export/device_fields.h"

#include <algorithm>
#include <optional>
#include <set>

namespace weft::onnx {

namespace {

bool areEqualParts(const std::vector<std::int64_t>& cuts) {
    for (std::size_t k = 2; k < cuts.size(); ++k) {
        if (cuts[k] - cuts[k - 1] != cuts[1] - cuts[0]) {
            return false;
        }
    }
    return true;
}

/// Returns none for a partial sum, and for parts of unequal size. `isOfBatch`: dim 0 is the batch.
std::optional<Sharding> shardingOf(const Plan& plan, const Placed& placed, bool isOfBatch) {
    const Mesh& mesh = plan.at(placed.mesh);
    const Shape& shape = plan.graph->at(placed.value).shape;
    Sharding made;
    for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
        const Placement& placement = placed.placements[axis];
        if (placement.isPartial()) {
            return {};
        }
        if (!placement.isSplit()) {
            continue;
        }
        const std::int64_t size = shape[static_cast<std::size_t>(placement.dim)];
        const auto known = std::ranges::find(made.dims, placement.dim, &ShardedDim::axis);
        if (known == made.dims.end()) {
            if (!areEqualParts(placement.cuts)) {
                return {};
            }
            made.dims.push_back({.axis = placement.dim,
                                 .size = isOfBatch && placement.dim == 0 ? 0 : size,
                                 .shards = mesh.shape[axis]});
        } else {
            known->shards *= mesh.shape[axis];
            if (size % known->shards != 0) {
                return {};
            }
        }
    }
    // The devices of each part: those whose coordinates along the split axes are equal.
    std::vector<std::vector<std::int64_t>> holders;
    std::map<std::vector<std::int64_t>, std::size_t> parts;
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        std::vector<std::int64_t> part;
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            part.push_back(placed.placements[axis].isSplit() ? mesh.coordinate(member, axis) : 0);
        }
        const auto [row, isNew] = parts.try_emplace(std::move(part), holders.size());
        if (isNew) {
            holders.emplace_back();
        }
        holders[row->second].push_back(static_cast<std::int64_t>(mesh.devices[member].value));
    }
    for (const std::vector<std::int64_t>& group : holders) {
        if (group.size() == 1) {
            made.devices.push_back(group.front());
            continue;
        }
        made.groups.emplace_back(-static_cast<std::int64_t>(made.groups.size()) - 1, group);
        made.devices.push_back(made.groups.back().first);
    }
    return made;
}

} // namespace

DeviceFields deviceFields(const ExportedGraph& exported, const Plan& plan,
                          const std::map<LayerOutput, ValueId>& values) {
    DeviceFields made{.devices = plan.devices};
    const auto add = [&](const std::string& name, const Placed& placed, bool isOfBatch) {
        if (std::optional<Sharding> sharding = shardingOf(plan, placed, isOfBatch)) {
            made.tensors.emplace(name, std::move(*sharding));
        } else {
            made.inexpressible.push_back(name);
        }
    };
    std::map<ValueId, const Placed*> computed; // where each value is computed, or fed
    for (const Placed& placed : plan.values) {
        const bool isChange = !placed.producer.isNone() && plan.at(placed.producer).node.isNone();
        if (!isChange) {
            computed.emplace(placed.value, &placed);
        }
    }
    for (const auto& [name, output] : exported.layerOutputs) {
        const auto value = values.find(output);
        const auto found = value == values.end() ? computed.end() : computed.find(value->second);
        if (found != computed.end()) {
            add(name, *found->second, true);
        }
    }
    for (const SlotHome& slot : plan.slots) {
        if (isWeight(plan.graph->at(slot.slot))) {
            add(plan.graph->at(slot.slot).name, plan.at(slot.home), false);
        }
    }
    return made;
}

} // namespace weft::onnx
