// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checks that a run's memory fits. Called once all programs are made and before any memory is
// allocated, for all devices of a host together.

#include "run/execute/worker_pool.h"

#include <vector>

namespace weft {

struct RunRequest;

/// Throws Error{memory} on the ranks whose host or device has too little, naming both amounts and
/// what would fit. `devices` and `needs` are those of this process. All ranks call this function.
void admitMemory(const RunRequest& request, const std::vector<const LocalDevice*>& devices,
                 const std::vector<ArenaNeed>& needs);

} // namespace weft
