// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective by messages: pieces are packed, sent directly to the members that need them, and
// reduced by the receiver in a fixed order, so that all communicators give equal bits. An
// all-reduce is a reduce-scatter followed by an all-gather.

#include "comm/postbox.h"
#include "device/communicator.h"

#include <atomic>
#include <memory>

namespace weft {

/// Makes a member's side of the collective. `sequence` is the same on all members and below 2^20;
/// it becomes part of the tag.
[[nodiscard]] std::unique_ptr<Collective> makeMessageCollective(const CollectiveRequest& request,
                                                                DeviceId member, Postbox& postbox,
                                                                std::uint32_t sequence,
                                                                const std::atomic<bool>& aborted);

} // namespace weft
