// SPDX-License-Identifier: Apache-2.0
#pragma once
// Convolutions whose positions have filters of their own: result by result, since few of them share
// a filter.

#include "backends/cuda/convolution.h"
#include "backends/cuda/stream.h"

namespace weft::cuda {

void launchSetsForward(const Convolution& convolution, const float* x, const float* w, float* y,
                       Stream stream);
void launchSetsInputGradient(const Convolution& convolution, const float* dy, const float* w,
                             float* dx, Stream stream);
void launchSetsWeightGradient(const Convolution& convolution, const float* x, const float* dy,
                              float* dw, Stream stream);

} // namespace weft::cuda
