// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures one class of links with all-reduces between two members: an all-reduce of one number
// gives the latency, an all-reduce of many numbers gives the rate. Takes well under a second.

#include "device/communicator.h"
#include <weft/devices.h>

namespace weft {

/// Members 0 and 1 both call this function, each on its own thread or process, and each gets an
/// answer from its own clock. Throws Error{timeout} if the other member does not join.
[[nodiscard]] LinkSheet measureLink(Communicator& communicator, DeviceId me, LinkSheet link);

} // namespace weft
