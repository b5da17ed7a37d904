// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicator of NCCL: members are chips, and what they exchange stands in the queues of their
// streams. For each set of members a worker joins once, when the first collective of that set is
// prepared; the hosts tell each other how. Sums are in NCCL's order: its bits may differ from
// another communicator's.

#include "device/communicator_list.h"

#include <memory>

namespace weft::nccl {

/// What this build offers, on whatever answers the seam.
[[nodiscard]] DeviceCommunicator communicator();

/// For one worker.
[[nodiscard]] std::unique_ptr<Communicator> openCommunicator(const CommunicatorMember& seat);

} // namespace weft::nccl
