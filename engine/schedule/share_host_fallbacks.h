// SPDX-License-Identifier: Apache-2.0
#pragma once
// Neighbours that the host computes for a device whose memory it may not touch (device/staged.h)
// become one step with one fallback there and back: what they alone read stays there, what several
// of them read goes out once, what others read comes back once. They are neighbours where one reads
// what another makes or reads, and where they stand next to each other. One joins where it can be
// computed as early as the others, or they as late as it, so that nobody waits for what it does not
// need and no circle of waits can arise. Kernels are settled before; other devices have no such
// tasks, and nothing of theirs is changed.

#include "schedule/task.h"

#include <cstddef>
#include <limits>

namespace weft {

struct HostFallbacksRequest {
    std::size_t begin = 0; ///< of the tasks that may share one
    std::size_t end = std::numeric_limits<std::size_t>::max();
    /// What draws has a kernel for each round, and goes alone.
    bool isOfRound = false;
};

void shareHostFallbacks(LocalPlan& local, const HostFallbacksRequest& request = {});

} // namespace weft
