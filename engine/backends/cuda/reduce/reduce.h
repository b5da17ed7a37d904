// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reductions over any dims. Also included by CUDA sources.

#include "backends/cuda/kernels/stream_handle.h"
#include "device/reduce_loops.h"

namespace weft::cuda {

/// Sums and products are in double; the maximum is NaN if an element is NaN.
enum class Reduction : std::uint8_t { sum, maximum, product };
void launchReduce(Reduction reduction, const ReduceLoops& loops, const float* x, float* y,
                  StreamHandle stream);

} // namespace weft::cuda
