// SPDX-License-Identifier: Apache-2.0
#pragma once
// What training counts and an evaluation tells, told of training itself where nothing is evaluated:
// atoms that no code has used.

#include "run/checkpoint.h"
#include "run/worker_pool.h"

#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Of each slot that says so (`zerosName`) how many of its numbers are 0; on rank 0, the others
/// serve their parts and get nothing. The slot is 0 then. Every rank calls it after the same step.
[[nodiscard]] std::vector<std::pair<std::string, double>> countZeros(WorkerPool& pool, int rank,
                                                                     const FetchPart& fetch);

} // namespace weft
