// SPDX-License-Identifier: Apache-2.0
#pragma once
// Batch normalisation with per-channel numbers: inverse = 1 / sqrt(variance + epsilon), normalised
// = (x - mean) inverse. x, y and their gradients are f32 or bf16.

#include "backends/cuda/kernels/stream_handle.h"
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

/// Ops fused after a norm: y + addend, if given, then ReLU.
template <class Kept>
struct NormEnding {
    const Kept* addend = nullptr;
    bool hasRelu = false;
};

/// y = gamma normalised + beta, and the fused ops
template <class Kept>
void launchNormaliseChannels(const Along& along, const ChannelNumbers& of, const Kept* x,
                             const float* beta, const NormEnding<Kept>& ending, Kept* y,
                             StreamHandle stream);
/// dx = gamma inverse (dy - dbeta / count - normalised dgamma / count)
template <class Kept>
void launchBatchNormInputGradient(const Along& along, const ChannelNumbers& of, float count,
                                  const Kept* x, const Kept* dy, const float* dgamma,
                                  const float* dbeta, Kept* dx, StreamHandle stream);

/// One running statistic of n channels.
struct RunningStatistic {
    const float* running = nullptr; ///< previous value
    const float* now = nullptr;     ///< statistic of this batch
    float* y = nullptr;             ///< next value
    float keep = 0, take = 0;       ///< y = keep running + take now
    std::int64_t n = 0;             ///< number of channels
};
/// y = keep running + take now, for as many statistics as one launch takes.
struct RunningStatistics {
    static constexpr int most = 32; ///< maximum per launch
    std::array<RunningStatistic, most> of = {};
    int count = 0;
};
void launchRunningStatistics(const RunningStatistics& statistics, StreamHandle stream);

} // namespace weft::cuda
