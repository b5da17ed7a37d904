// SPDX-License-Identifier: Apache-2.0
#pragma once
// While a device that queues its work takes a step, the host brings it the batch after: to memory
// of its own, from where it is placed when the step has ended.

#include "schedule/program.h"

namespace weft {

/// Where a feed's part lies there.
struct FeedAhead {
    std::size_t feed = 0; ///< in the program's
    std::int64_t offset = 0;
};
/// Of the batches that this program takes; none: its device takes them where they are.
[[nodiscard]] std::vector<FeedAhead> feedsAhead(const Program& program);
/// Of that memory; one for all members, as one feeds at a time.
[[nodiscard]] Bytes bytesAhead(const Program& program);

[[nodiscard]] FeedPrice feedingOf(const Program& program, const DeviceSheet& sheet);

} // namespace weft
