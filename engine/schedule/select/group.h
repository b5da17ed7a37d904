// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fusion without rewriting the graph: tasks that one kernel of the device may serve together become
// one task with these tasks as its body. The device's kernels define the groups: "a+b" is a chain,
// "a*" a row of equal ops. Where no chain matches, elementwise ops may form free chains
// (FreeChains). Partial sums end a chain, and inner values that others read become results of the
// group, which its kernel may refuse. Batching for speed alone comes later (batch_products.h).

#include "schedule/task.h"

namespace weft {

/// Adds to the refusals why ops that match a chain are not grouped.
void groupTasks(LocalPlan& local, const KernelList& kernels);

} // namespace weft
