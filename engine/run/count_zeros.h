// SPDX-License-Identifier: Apache-2.0
#pragma once
// What training counts and an evaluation tells, told of training itself where nothing is evaluated:
// atoms that no code has used.

#include "run/checkpoint.h"
#include "run/not_finite.h"
#include "run/worker_pool.h"

#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Counts the zeros in each slot that has a `zerosName`, on every rank, and sets the slots to 0
/// once all ranks have the counts. Every rank calls it after the same step.
[[nodiscard]] std::vector<std::pair<std::string, double>>
countZeros(WorkerPool& pool, int rank, const FetchPart& fetch, const ShareFromFirst& share);

} // namespace weft
