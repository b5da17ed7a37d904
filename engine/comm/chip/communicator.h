// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicator of workers on one chip: each reads what the others have where it lies, in the
// order of its own stream, and nothing goes by the host. Workers may be of several processes, where
// these may reach each other's memory on the chip; where they may not, they meet through their
// hosts.

#include "device/communicator_list.h"

#include <memory>

namespace weft::chip {

[[nodiscard]] DeviceCommunicator communicator();

/// For one worker.
[[nodiscard]] std::unique_ptr<Communicator> openCommunicator(const CommunicatorMember& seat);

} // namespace weft::chip
