// SPDX-License-Identifier: Apache-2.0
#pragma once
// How many compute streams a device gets when nobody says: more than one only where the list
// schedule ends clearly sooner with them. Judged by nominal rates and by the plan alone, so that
// every rank, every attempt and every machine of so many cores chooses alike.

#include "schedule/task.h"

namespace weft {

/// Streams beyond which chips run nothing more side by side that is worth its waits.
inline constexpr int mostStreamsOfAChip = 4;

/// At most a stream per core; one for `sequential`.
[[nodiscard]] int streamCount(const LocalPlan& local, const std::string& how, int cores);
/// Number of streams of a GPU, from the prices of its tasks. A GPU has no cores to divide, so the
/// number does not affect results.
struct StreamsOfChip {
    int count = 1;
    std::int64_t end = 0; ///< of all tasks, in nanoseconds
};
/// `given`: so many; 0: as many as clearly gain.
[[nodiscard]] StreamsOfChip streamsOfChip(const LocalPlan& local, const std::string& how,
                                          int given);

} // namespace weft
