// SPDX-License-Identifier: Apache-2.0
#include "run/execute/slot_parts.h"

#include <algorithm>

namespace weft {

namespace {

const Placed& homeOf(const Plan& plan, SlotId slot) { return plan.at(plan.slots[slot.value].home); }

} // namespace

std::size_t shareCountOf(const Plan& plan, SlotId slot) {
    const Placed& home = homeOf(plan, slot);
    const Mesh& mesh = plan.at(home.mesh);
    std::int64_t shares = 1;
    for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
        shares *= home.placements[axis].isPartial() ? mesh.shape[axis] : 1;
    }
    return static_cast<std::size_t>(shares);
}

std::size_t shareIndexOf(const Plan& plan, SlotId slot, DeviceId device) {
    const Placed& home = homeOf(plan, slot);
    const Mesh& mesh = plan.at(home.mesh);
    const auto member = static_cast<std::size_t>(plan.memberOf(home.mesh, device));
    std::int64_t share = 0;
    for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
        if (home.placements[axis].isPartial()) {
            share = share * mesh.shape[axis] + mesh.coordinate(member, axis);
        }
    }
    return static_cast<std::size_t>(share);
}

std::vector<DeviceId> holdersOf(const Plan& plan, SlotId slot, std::size_t share) {
    const PlacedId home = plan.slots[slot.value].home;
    std::vector<DeviceId> holders;
    std::vector<Box> seen;
    for (const DeviceId device : plan.at(plan.at(home).mesh).devices) {
        const Box box = plan.boxOf(home, device);
        if (shareIndexOf(plan, slot, device) == share && !box.isEmpty() &&
            std::ranges::find(seen, box) == seen.end()) {
            seen.push_back(box);
            holders.push_back(device);
        }
    }
    return holders;
}

int workerWithPartOf(const WorkerPool& pool, SlotId slot, DeviceId device) {
    const Plan& plan = *pool.program(0, 0).program().plan;
    const PlacedId home = plan.slots[slot.value].home;
    const Box wanted = plan.boxOf(home, device);
    const std::size_t share = shareIndexOf(plan, slot, device);
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const DeviceId own = pool.device(w).id;
        if (pool.program(w, 0).program().slots[slot.value].isHeld &&
            shareIndexOf(plan, slot, own) == share && plan.boxOf(home, own) == wanted) {
            return static_cast<int>(w);
        }
    }
    return -1;
}

std::string shareName(const std::string& name, std::size_t share) {
    return name + "#" + std::to_string(share + 1);
}

} // namespace weft
