// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses the number of compute streams of a device if the user does not: more than one only if the
// list schedule ends clearly sooner. Uses only nominal rates and the plan, so that every rank,
// attempt and machine with as many cores chooses the same.

#include "schedule/task.h"

namespace weft {

/// More streams than this give no gain on a chip that is worth their waits.
inline constexpr int mostStreamsOfAChip = 4;

/// Returns at most one stream per core, and one for `sequential`.
[[nodiscard]] int streamCount(const LocalPlan& local, const std::string& how, int cores);
/// Number of streams of a GPU, from the prices of its tasks. A GPU has no cores to divide, so the
/// number does not affect results.
struct ChipStreamCount {
    int count = 1;
    std::int64_t end = 0; ///< end of the last task, in nanoseconds
};
/// Returns the number of streams of a GPU, and when its tasks end. `given` is that number; 0: as
/// many as are clearly faster.
[[nodiscard]] ChipStreamCount streamsOfChip(const LocalPlan& local, const std::string& how,
                                            int given);

} // namespace weft
