// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions with filters per position, computed result by result, because few results share a
// filter.

#include "backends/cuda/kernels/stream_handle.h"
#include "backends/cuda/products/convolution.h"

namespace weft::cuda {

void launchSetsForward(const Convolution& convolution, const float* x, const float* w, float* y,
                       StreamHandle stream);
void launchSetsInputGradient(const Convolution& convolution, const float* dy, const float* w,
                             float* dx, StreamHandle stream);
void launchSetsWeightGradient(const Convolution& convolution, const float* x, const float* dy,
                              float* dw, StreamHandle stream);

} // namespace weft::cuda
