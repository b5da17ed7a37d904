// SPDX-License-Identifier: Apache-2.0
#pragma once
// Combines neighbouring ops that the host computes for a device with memory of its own
// (device/staged.h) into one step: a value that only they read stays on the host, an operand is
// copied out once, a result is copied back once. Neighbours share a value, or stand next to each
// other in the order. An op joins only if it can be computed as early as the others or the others
// as late as it, so that no step waits longer than necessary and waits form no cycle. Kernels are
// chosen before. Devices without host fallbacks are not changed.

#include "schedule/task.h"

#include <cstddef>
#include <limits>

namespace weft {

struct HostFallbacksRequest {
    std::size_t begin = 0; ///< first of the tasks that may share a step
    std::size_t end = std::numeric_limits<std::size_t>::max(); ///< behind the last of them
    bool isInRepeatBody = false; ///< true: ops that draw random numbers stay separate
};

void shareHostFallbacks(LocalPlan& local, const HostFallbacksRequest& request = {});

} // namespace weft
