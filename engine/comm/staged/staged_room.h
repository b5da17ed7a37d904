// SPDX-License-Identifier: Apache-2.0
#pragma once
// Any room for members whose memory the host may not touch: what they give goes out into buffers of
// the host, meets there, and comes back, in the order of the member's lane.

#include "device/room.h"

#include <memory>

namespace weft {

/// `room` outlives it, and is the one whose other members may be without.
[[nodiscard]] std::unique_ptr<Room> makeStagedRoom(Room& room);

} // namespace weft
