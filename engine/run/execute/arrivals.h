// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which members of a collective have arrived, by name, for messages about a wait that takes too
// long.

#include "device/communicator.h"
#include "schedule/program.h"

#include <string>
#include <vector>

namespace weft {

struct Arrivals {
    std::vector<std::string> arrived; ///< names of devices
    std::vector<std::string> missing; ///< names of devices
};
/// Thread-safe.
[[nodiscard]] Arrivals arrivalsAt(const Collective& collective, const Plan& plan);

} // namespace weft
