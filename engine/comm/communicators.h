// SPDX-License-Identifier: Apache-2.0
#pragma once
// The communicators of devices of this build: `fill` is written by CMake from the folders found
// beside this file.

#include "device/communicator_list.h"

namespace weft::communicators {

void fill(CommunicatorList& list);

} // namespace weft::communicators
