// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicators of one worker as one: each of its collectives meets in the communicator of
// devices that its request names, else with the hosts, staged where the host may not touch the
// device's memory.

#include "device/communicator_list.h"

#include <memory>

namespace weft {

/// `seat.hosts` is any communicator; `backend` and `communicators` outlive this one. Aborting it
/// ends what meets in communicators of devices: that of the hosts is for others to end.
[[nodiscard]] std::unique_ptr<Communicator>
makeWorkerCommunicator(const CommunicatorMember& seat, const Backend& backend,
                       const CommunicatorList* communicators);

} // namespace weft
