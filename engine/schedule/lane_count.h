// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many compute lanes a device gets when nobody says: more than one only where the list schedule
// ends clearly sooner with them. Judged by nominal rates and by the plan alone, so that every rank,
// every attempt and every machine of so many cores chooses alike.

#include "schedule/task.h"

namespace weft {

/// Streams beyond which chips run nothing more side by side that is worth its waits.
inline constexpr int mostLanesOfAChip = 4;

/// At most a lane per core; one for `sequential`.
[[nodiscard]] int laneCount(const LocalPlan& local, const std::string& how, int cores);
/// Number of streams of a GPU, from the prices of its tasks. A GPU has no cores to divide, so the
/// number does not affect results.
struct LanesOfChip {
    int count = 1;
    std::int64_t end = 0; ///< of all tasks, in nanoseconds
};
/// `given`: so many; 0: as many as clearly gain.
[[nodiscard]] LanesOfChip lanesOfChip(const LocalPlan& local, const std::string& how, int given);

} // namespace weft
