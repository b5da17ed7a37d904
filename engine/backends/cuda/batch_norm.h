// SPDX-License-Identifier: Apache-2.0
#pragma once
// With numbers per channel: inverse = 1 / sqrt(variance + epsilon), normalised = (x - mean)
// inverse. x, y and their gradients are kept as f32 or as halves.

#include "backends/cuda/stream_handle.h"
#include "device/along.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

struct ChannelNumbers {
    const float* mean = nullptr;
    const float* variance = nullptr;
    const float* gamma = nullptr;
    float epsilon = 0;
};

/// What follows a norm in one launch: y + addend where there is one, then ReLU.
template <class Kept>
struct NormEnding {
    const Kept* addend = nullptr;
    bool hasRelu = false;
};

/// y = gamma normalised + beta, and what follows
template <class Kept>
void launchNormaliseChannels(const Along& along, const ChannelNumbers& of, const Kept* x,
                             const float* beta, const NormEnding<Kept>& ending, Kept* y,
                             StreamHandle stream);
/// dx = gamma inverse (dy - dbeta / count - normalised dgamma / count)
template <class Kept>
void launchBatchNormInput(const Along& along, const ChannelNumbers& of, float count, const Kept* x,
                          const Kept* dy, const float* dgamma, const float* dbeta, Kept* dx,
                          StreamHandle stream);

/// One running statistic of n channels.
struct Running {
    const float* running = nullptr;
    const float* now = nullptr;
    float* y = nullptr;
    float keep = 0, take = 0;
    std::int64_t n = 0;
};
/// y = keep running + take now, of as many as one launch takes.
struct RunningStatistics {
    static constexpr int most = 32;
    std::array<Running, most> of = {};
    int count = 0;
};
void launchRunning(const RunningStatistics& statistics, StreamHandle stream);

} // namespace weft::cuda
