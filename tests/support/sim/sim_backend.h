// SPDX-License-Identifier: Apache-2.0
#pragma once
// The stand-in for a GPU, opened as sim:0: CUDA's backend on chips that are not there (seam.cpp),
// whose work runs in a random legal order. Its kernels are those of the cpu, of one core, and
// CUDA's own under the emulator, which come first where the variable WEFT_SIM_KERNELS says "cuda".
// What neither has, or the variable WEFT_SIM_WITHOUT names ("relu,flatten"), comes from the
// reference, through the host, as on any such device.

#include "device/backend.h"

namespace weft::sim {

[[nodiscard]] Backend simBackend();

} // namespace weft::sim
