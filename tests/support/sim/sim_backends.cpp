// SPDX-License-Identifier: Apache-2.0
// The backends and rooms of the program `weft-sim`: linked before the engine's own lists, these are
// taken.
#include "backends/backends.h"
#include "comm/rooms.h"
#include "support/sim/sim_backend.h"
#include "support/sim/sim_room.h"

namespace weft {

Backend cpuBackend();
Backend nullBackend();
Backend referenceBackend();

void backends::fill(BackendList& list) {
    list.add(cpuBackend());
    list.add(sim::simBackend());
    list.add(nullBackend());
    list.add(referenceBackend());
}

void rooms::fill(RoomList& list) {
    list.add(sim::simRoom());
    list.add(sim::simChipRoom());
}

} // namespace weft
