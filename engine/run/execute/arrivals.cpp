// SPDX-License-Identifier: Apache-2.0
#include "run/execute/arrivals.h"

#include <algorithm>

namespace weft {

Arrivals arrivalsAt(const Collective& collective, const Plan& plan) {
    Arrivals names;
    const std::vector<DeviceId> arrived = collective.arrived();
    for (const DeviceId device : arrived) {
        names.arrived.push_back(plan.devices[device.value]);
    }
    for (const DeviceId device : collective.members()) {
        if (std::ranges::find(arrived, device) == arrived.end()) {
            names.missing.push_back(plan.devices[device.value]);
        }
    }
    return names;
}

} // namespace weft
