// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adapts a communicator to devices whose memory the host cannot access: inputs are copied to pinned
// host memory, exchanged there, and copied back, in the order of the member's stream.

#include "device/backend.h"
#include "device/communicator.h"

#include <memory>

namespace weft {

/// `communicator` and the members' `device` must outlive it. Other members of `communicator` may be
/// unstaged. Its collectives run on one stream and share the largest staging memory that one of
/// them needs.
[[nodiscard]] std::unique_ptr<Communicator> makeStagedCommunicator(Communicator& communicator,
                                                                   Device& device);

/// Returns the pinned host memory that this collective of a staged communicator needs.
[[nodiscard]] Bytes stagedBytes(const CollectiveRequest& request, DeviceId member);

} // namespace weft
