// SPDX-License-Identifier: Apache-2.0
#pragma once
// Combines independent matrix products into one batched call if that is predicted to be faster:
// query, key and value of attention, or branches of a network. Members have the same depth in the
// graph, so that no wait can form a cycle, and equal requests, and the device must have a batched
// kernel ("a=" in device/kernel.h). Kernels and prices are chosen before.

#include "schedule/task.h"

#include <functional>

namespace weft {

struct BatchingRequest {
    const KernelList& kernels;
    const KernelChooser& chooser;
    std::function<void(Task&)> price; ///< sets the predicted time of a task
    int streams = 1; ///< streams on which the tasks would otherwise run concurrently
};

/// Returns all tasks with batched ones combined, or an empty list if there are none. Adds to the
/// refusals why some stay separate.
[[nodiscard]] std::vector<Task> withBatchedProducts(LocalPlan& local,
                                                    const BatchingRequest& request);

/// True for a batched request: each member of its body has one result.
[[nodiscard]] bool isBatched(const KernelRequest& request);

} // namespace weft
