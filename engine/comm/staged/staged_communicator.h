// SPDX-License-Identifier: Apache-2.0
#pragma once
// Any communicator for members whose memory the host may not touch: what they give goes out into
// pinned memory of the host, meets there, and comes back, in the order of the member's stream.

#include "device/backend.h"
#include "device/communicator.h"

#include <memory>

namespace weft {

/// `communicator` outlives it, and is the one whose other members may be without; so does `device`,
/// which is that of its members. Its collectives stand in one stream and share the largest staging
/// memory that one of them needs.
[[nodiscard]] std::unique_ptr<Communicator> makeStagedCommunicator(Communicator& communicator,
                                                                   Device& device);

/// Pinned memory of the host that this collective of a staged communicator needs.
[[nodiscard]] Bytes stagedBytes(const CollectiveRequest& request, DeviceId member);

} // namespace weft
