// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fusion without rewriting: tasks that one kernel of the device may serve together become one task
// that keeps them as its body. Which groups there are is what the device's kernels say: "a+b" is a
// chain, "a*" a row; and ops that do the same to every element may follow one another freely
// (FreeChains), where no chain that is named takes them. Nothing is grouped over a partial sum;
// what others read of a chain stays a result of the group, and its kernel may refuse that. What is
// joined for its price alone comes later (join_equals.h).

#include "schedule/task.h"

namespace weft {

/// Reasons against a chain that would else be one are added to the refusals.
void group(LocalPlan& local, const KernelList& kernels);

} // namespace weft
