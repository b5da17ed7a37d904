// SPDX-License-Identifier: Apache-2.0
#pragma once
// While an asynchronous device takes a step, the host copies the next batch to a separate buffer,
// from which the batch is moved to its place after the step.

#include "schedule/program.h"

namespace weft {

/// The place of a feed's part in that buffer.
struct PrefetchedFeed {
    std::size_t feed = 0;    ///< index among the program's feeds
    std::int64_t offset = 0; ///< in bytes
};
/// Batches of this program that are copied ahead; none if the device reads them in place.
[[nodiscard]] std::vector<PrefetchedFeed> prefetchedFeeds(const Program& program);
/// Bytes for batches copied ahead; one buffer for all variants, since one feeds at a time.
[[nodiscard]] Bytes prefetchBytes(const Program& program);

[[nodiscard]] BatchCopyPrice batchCopyPriceOf(const Program& program, const DeviceSheet& sheet);

} // namespace weft
