// SPDX-License-Identifier: Apache-2.0
#pragma once
// The stand-in for a GPU, opened as sim:0: memory that the host may not touch, and lanes that run
// their work later, in a random order that is legal. Its kernels are those of the cpu, of one core;
// what these have not comes from the reference, through the host, as on any such device.

#include "device/backend.h"

namespace weft::sim {

/// `seed` settles in which order the devices' work runs.
[[nodiscard]] Backend simBackend(unsigned seed);
/// That of the variable WEFT_SIM_SEED; 1 without it.
[[nodiscard]] unsigned seed();

} // namespace weft::sim
