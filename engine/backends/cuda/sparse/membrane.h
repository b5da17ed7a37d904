// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ops on batch elements with a number per element, such as a time step or a restart flag. A result
// may alias an operand of its size.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// n elements in total, `each` per batch element.
struct BatchSizes {
    std::int64_t n = 0, each = 1; ///< elements in all; elements per batch element
};

/// v' = e v + (1 - e) (drive + self a), e = exp(-step[b] / tau)
void launchMembrane(const BatchSizes& batch, float tau, float self, const float* v,
                    const float* drive, const float* a, const float* step, float* next,
                    StreamHandle stream);

enum class StepWeight : std::uint8_t { keep, take, ratio }; ///< e = exp(-s), 1 - e, s = step / tau
/// y = x times exp(-step[b] / tau), 1 less that, or step[b] / tau
void launchStepWeight(const BatchSizes& batch, StepWeight by, float tau, const float* x,
                      const float* step, float* y, StreamHandle stream);
/// y = begins[b] != 0 ? atRest : v
void launchResetToRest(const BatchSizes& batch, const float* v, const float* atRest,
                       const float* begins, float* y, StreamHandle stream);

} // namespace weft::cuda
