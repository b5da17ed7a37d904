// SPDX-License-Identifier: Apache-2.0
// The backends and communicators of the program `weft-sim`: linked before the engine's own lists,
// these are taken.
#include "backends/backends.h"
#include "comm/communicators.h"
#include "support/sim/sim_backend.h"
#include "support/sim/sim_communicator.h"

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

void communicators::fill(CommunicatorList& list) {
    list.add(sim::simCommunicator());
    list.add(sim::simChipCommunicator());
}

} // namespace weft
