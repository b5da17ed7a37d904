// SPDX-License-Identifier: Apache-2.0
#pragma once
// All ranks in one thread: collectives by messages that never leave the process. It runs the very
// code that runs between processes, in an order that can be repeated.

#include "device/communicator.h"

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<Communicator> makeSimulatedCommunicator();

} // namespace weft
