// SPDX-License-Identifier: Apache-2.0
#pragma once
// Batched that stand side by side become one call where that is planned cheaper: the query, key and
// value of an attention, the branches of a net. They are of one depth, so that no path leads from
// one to another and no circle of waits can arise; they ask for the same, and the device has a
// kernel of many for them ("a=" in device/kernel.h). Kernels and prices are settled before.

#include "schedule/task.h"

#include <functional>

namespace weft {

struct JoinRequest {
    const KernelList& kernels;
    const KernelChooser& chooser;
    std::function<void(Task&)> price; ///< says what a task takes
    int streams = 1;                  ///< on which batch would run side by side
};

/// All tasks, batch joined; empty where there are none to be joined. Why some stay apart is added
/// to the refusals.
[[nodiscard]] std::vector<Task> withBatched(LocalPlan& local, const JoinRequest& request);

/// A request of batch: each of its body's members has one result.
[[nodiscard]] bool isBatched(const KernelRequest& request);

} // namespace weft
