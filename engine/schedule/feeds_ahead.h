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
/// Batches of this program that are copied ahead; none if the device reads them in place.
[[nodiscard]] std::vector<FeedAhead> feedsAhead(const Program& program);
/// Bytes for batches copied ahead; one buffer for all variants, since one feeds at a time.
[[nodiscard]] Bytes bytesAhead(const Program& program);

[[nodiscard]] FeedPrice feedingOf(const Program& program, const DeviceSheet& sheet);

} // namespace weft
