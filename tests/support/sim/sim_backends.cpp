// SPDX-License-Identifier: Apache-2.0
// The backends of the program `weft-sim`: linked before the engine's own list, this one is taken.
#include "backends/backends.h"
#include "support/sim/sim_backend.h"

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

} // namespace weft
