// SPDX-License-Identifier: Apache-2.0
#pragma once
// With numbers per channel, inverse = 1 / sqrt(variance + epsilon), normalised = (x - mean)
// inverse. x, y and their gradients are kept as f32 or as halves.

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
template <class Kept>
void launchNormaliseChannels(const Along& along, const ChannelNumbers& of, const Kept* x,
                             const float* beta, Kept* y, Stream stream);
/// dx = gamma inverse (dy - dbeta / count - normalised dgamma / count)
template <class Kept>
void launchBatchNormInput(const Along& along, const ChannelNumbers& of, float count, const Kept* x,
                          const Kept* dy, const float* dgamma, const float* dbeta, Kept* dx,
                          Stream stream);
/// y = keep running + take now
void launchRunning(float keep, float take, const float* running, const float* now, float* y,
                   std::int64_t n, Stream stream);

} // namespace weft::cuda
