// SPDX-License-Identifier: Apache-2.0
#pragma once
// y = exp(x - max x) / its sum; dx = y (dy - sum of y dy), row by row

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

void launchSoftmax(const float* x, std::int64_t rows, std::int64_t d, float* y,
                   StreamHandle stream);
void launchSoftmaxGradient(const float* y, const float* dy, std::int64_t rows, std::int64_t d,
                           float* dx, StreamHandle stream);

} // namespace weft::cuda
