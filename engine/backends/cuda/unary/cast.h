// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts elements to another type.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

void launchCast(Number fromType, Number toType, const void* x, void* y, std::int64_t n,
                StreamHandle stream);

} // namespace weft::cuda
