// SPDX-License-Identifier: Apache-2.0
#pragma once
// All ranks in one thread: collectives by messages within the process. It executes the same code as
// between processes, in a reproducible order.

#include "device/communicator.h"

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<Communicator> makeSimulatedCommunicator();

} // namespace weft
