// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicator of workers in one process: members read each other's memory. Nobody waits inside
// a call: a collective is started and then asked, so the members may have a thread each or share
// one. Sums run in the order of the members, whoever comes first.

#include "device/communicator.h"

#include <memory>

namespace weft {

[[nodiscard]] std::unique_ptr<Communicator> makeThreadsCommunicator();

} // namespace weft
