// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicators of devices in this build. CMake generates `fill` from the folders beside this
// file.

#include "device/communicator_list.h"

namespace weft::communicators {

void fill(CommunicatorList& list); ///< adds all device communicators of this build

} // namespace weft::communicators
