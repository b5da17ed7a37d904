// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reports counts that training collects and that an evaluation would report, such as atoms that no
// code has used, if the design has no evaluation.

#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "run/observe/not_finite.h"

#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Counts the zeros in each slot that has a `zerosName`, on every rank, and sets the slots to 0
/// once all ranks have the counts. Every rank calls it after the same step.
[[nodiscard]] std::vector<std::pair<std::string, double>>
countZeros(WorkerPool& pool, int rank, const FetchPart& fetch, const BroadcastFromFirst& share);

} // namespace weft
