// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs of all devices of a plan, whether they would run here or not. No device is opened,
// no kernel is made and nothing is allocated.

#include "front/study.h"
#include "run/host_share.h"
#include "run/open_workers.h"
#include "schedule/schedule.h"

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

struct Prepared {
    std::vector<HostShare> shares;
    std::vector<DeviceSheet> sheets;
    std::vector<bool> hasKernels;  ///< by DeviceId: this build has some for it
    std::vector<Program> programs; ///< by DeviceId
};

/// Of a study that has a plan.
[[nodiscard]] Prepared prepare(const Study& study, const PrepareRequest& request);

} // namespace weft
