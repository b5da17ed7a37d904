// SPDX-License-Identifier: Apache-2.0
// The backends of tests that ask what the stand-in does: it and the reference.
#include "backends/backends.h"
#include "support/sim/sim_backend.h"

namespace weft {

Backend referenceBackend();

void backends::fill(BackendList& list) {
    list.add(sim::simBackend());
    list.add(referenceBackend());
}

} // namespace weft
