// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures one class of links by what a step does over them: all-reduces between two members, one
// of a single number for the latency and one of many for the rate. Well under a second.

#include "device/communicator.h"
#include <weft/devices.h>

namespace weft {

/// Called by members 0 and 1, each on a thread or in a process of its own; both get the same kind
/// of answer, from their own clocks. Error{timeout} where the other does not come.
[[nodiscard]] LinkSheet measureLink(Communicator& communicator, DeviceId me, LinkSheet link);

} // namespace weft
