// SPDX-License-Identifier: Apache-2.0
#pragma once
// A collective by messages: pieces are packed, sent directly to who needs them, and folded by the
// receiver in the fixed order, so that all communicators give equal bits. An all-reduce is a
// reduce-scatter of shares and a gather of what they came to.

#include "comm/postbox.h"
#include "device/communicator.h"

#include <atomic>
#include <memory>

namespace weft {

/// `sequence` is the same on all members and below 2^20: it becomes the tag.
[[nodiscard]] std::unique_ptr<Collective> makeMessageCollective(const CollectiveRequest& request,
                                                                DeviceId member, Postbox& postbox,
                                                                std::uint32_t sequence,
                                                                const std::atomic<bool>& aborted);

} // namespace weft
