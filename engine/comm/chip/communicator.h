// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicator of workers on one chip: each reads the others' memory directly, in the order of
// its own stream, without the host. Workers may belong to several processes if these can access
// each other's memory on the chip; otherwise they communicate through their hosts.

#include "device/communicator_list.h"

#include <memory>

namespace weft::chip {

[[nodiscard]] DeviceCommunicator communicator(); ///< its declaration for CommunicatorList

/// Opens it for one worker.
[[nodiscard]] std::unique_ptr<Communicator> openCommunicator(const CommunicatorSetup& setup);

} // namespace weft::chip
