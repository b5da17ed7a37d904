// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicator of workers in one process: members read each other's memory. No call blocks: a
// collective is started and then polled, so members may have a thread each or share one. Sums are
// computed in the order of the members, whatever their order of arrival.

#include "device/communicator.h"

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<Communicator> makeThreadsCommunicator();

} // namespace weft
