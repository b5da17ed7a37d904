// SPDX-License-Identifier: Apache-2.0
#pragma once
// Combines the communicators of one worker: each collective runs in the communicator of devices
// that its request names, or else through the hosts, staged if the host cannot access the device's
// memory.

#include "device/communicator_list.h"

#include <memory>

namespace weft {

/// `setup.hosts` is any communicator; `backend` and `communicators` must outlive this one. Aborting
/// it aborts the communicators of devices, but not that of the hosts.
[[nodiscard]] std::unique_ptr<Communicator>
makeWorkerCommunicator(const CommunicatorSetup& setup, const Backend& backend,
                       const CommunicatorList* communicators);

} // namespace weft
