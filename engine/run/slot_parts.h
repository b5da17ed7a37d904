// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who holds what of a slot. One that lies as a sum over devices has several shares, which only
// together are its value; each is whole where all its boxes are.

#include "place/plan.h"
#include "run/worker_pool.h"

#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// One, but of a sum.
[[nodiscard]] std::size_t sharesOf(const Plan& plan, SlotId slot);
/// The share that the device holds a part of; the device is a member of the home.
[[nodiscard]] std::size_t shareOf(const Plan& plan, SlotId slot, DeviceId device);

/// The devices whose parts make up a share: each box once.
[[nodiscard]] std::vector<DeviceId> holdersOf(const Plan& plan, SlotId slot, std::size_t share);

/// The worker of this process that holds the same part as `device`; -1: none does.
[[nodiscard]] int workerWithPartOf(const WorkerPool& pool, SlotId slot, DeviceId device);

/// "fc6.weight/sum#2": the name in a file of a share of several.
[[nodiscard]] std::string shareName(const std::string& name, std::size_t share);

} // namespace weft
