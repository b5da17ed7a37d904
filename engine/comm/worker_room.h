// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rooms of one worker as one: each of its collectives meets in the room of devices that its
// request names, else with the hosts, staged where the host may not touch the device's memory.

#include "device/room_list.h"

#include <memory>

namespace weft {

/// `seat.hosts` is any room; `backend` and `rooms` outlive this one. Aborting it ends what meets in
/// rooms of devices: that of the hosts is for others to end.
[[nodiscard]] std::unique_ptr<Room> makeWorkerRoom(const RoomSeat& seat, const Backend& backend,
                                                   const RoomList* rooms);

} // namespace weft
