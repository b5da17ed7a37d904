// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many compute lanes a device gets when nobody says: more than one only where the list schedule
// ends clearly sooner with them. Judged by nominal rates and by the plan alone, so that every rank,
// every attempt and every machine of so many cores chooses alike.

#include "schedule/task.h"

namespace weft {

/// At most a lane per core; one for `sequential`.
[[nodiscard]] int laneCount(const LocalPlan& local, const std::string& how, int cores);
/// Of a chip that lanes share, by the prices of its tasks: it has no cores to be divided, so that
/// no number of a result depends on it.
[[nodiscard]] int chipLaneCount(const LocalPlan& local, const std::string& how);

} // namespace weft
