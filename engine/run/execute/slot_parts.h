// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds which device holds which part of a slot. A slot that is a sum over devices has several
// shares, whose sum is its value. A share is whole if all its boxes are present.

#include "place/plan.h"
#include "run/execute/worker_pool.h"

#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// Returns the number of shares: 1 unless the slot is a sum over devices.
[[nodiscard]] std::size_t shareCountOf(const Plan& plan, SlotId slot);
/// Returns the share of which the device holds a part. The device must hold a part of the slot.
[[nodiscard]] std::size_t shareIndexOf(const Plan& plan, SlotId slot, DeviceId device);

/// Returns the devices whose parts make up a share, one device for each box.
[[nodiscard]] std::vector<DeviceId> holdersOf(const Plan& plan, SlotId slot, std::size_t share);

/// Returns this process's worker that holds the same part as `device`, or -1 if there is none.
[[nodiscard]] int workerWithPartOf(const WorkerPool& pool, SlotId slot, DeviceId device);

/// Returns the name of a share in a file: "fc6.weight/sum#2".
[[nodiscard]] std::string shareName(const std::string& name, std::size_t share);

} // namespace weft
