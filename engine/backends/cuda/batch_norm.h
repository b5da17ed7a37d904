// SPDX-License-Identifier: Apache-2.0
#pragma once
// With numbers per channel, inverse = 1 / sqrt(variance + epsilon), normalised = (x - mean)
// inverse.

#include "backends/cuda/stream.h"
#include "device/along.h"

#include <cstdint>

namespace weft::cuda {

struct ChannelNumbers {
    const float* mean = nullptr;
    const float* variance = nullptr;
    const float* gamma = nullptr;
    float epsilon = 0;
};

/// y = gamma normalised + beta
void launchNormaliseChannels(const Along& along, const ChannelNumbers& of, const float* x,
                             const float* beta, float* y, Stream stream);
/// dx = gamma inverse (dy - dbeta / count - normalised dgamma / count)
void launchBatchNormInput(const Along& along, const ChannelNumbers& of, float count, const float* x,
                          const float* dy, const float* dgamma, const float* dbeta, float* dx,
                          Stream stream);
/// y = keep running + take now
void launchRunning(float keep, float take, const float* running, const float* now, float* y,
                   std::int64_t n, Stream stream);

} // namespace weft::cuda
