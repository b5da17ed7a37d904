// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether what a run is about to take is there: asked once all programs are made and before any
// memory is taken, of all devices of a host together.

#include "run/worker_pool.h"

#include <vector>

namespace weft {

struct RunRequest;

/// Error{memory} on the ranks of a host or device that has less than is needed, naming both amounts
/// and what would fit. `devices` and `needs`: those of this process. All ranks call it.
void admitMemory(const RunRequest& request, const std::vector<const LocalDevice*>& devices,
                 const std::vector<ArenaNeed>& needs);

} // namespace weft
