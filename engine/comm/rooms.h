// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rooms of devices of this build: `fill` is written by CMake from the folders found beside this
// file.

#include "device/room_list.h"

namespace weft::rooms {

void fill(RoomList& list);

} // namespace weft::rooms
