// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs of all devices of a plan, made in this process whether they would run here or not: a
// device that is there prepares its kernels, one that is not is a null device with its sheet.
// Nothing is allocated for them and nothing runs.

#include "front/study.h"
#include "run/host_share.h"
#include "run/open_workers.h"
#include "schedule/schedule.h"

#include <memory>
#include <string>
#include <vector>

namespace weft {

struct PrepareRequest {
    const Design* design = nullptr;
    const Registry* registry = nullptr;
    std::string backend = {};  ///< instead of the devices' own
    MachineSheet machine = {}; ///< without devices: class defaults
    int ranks = 1;
    int hosts = 1;
};

/// In this order, so that kernels go before the devices they came from.
struct Prepared {
    std::vector<HostShare> shares;
    std::vector<DeviceSheet> sheets;
    std::vector<std::unique_ptr<Device>> devices;
    std::unique_ptr<Room> room;
    std::vector<Program> programs; ///< by DeviceId
};

/// Of a study that has a plan.
[[nodiscard]] Prepared prepare(const Study& study, const PrepareRequest& request);

} // namespace weft
