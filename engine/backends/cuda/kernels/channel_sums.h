// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums over all dims but one, one or two numbers per index of that dim. A thread sums up to 64
// numbers in f32 and adds these sums in f64; block sums go to scratch and are added in a fixed
// order, so results are bitwise reproducible. x, dy and other maps are f32 or bf16.

#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/kernels/stream_handle.h"
#include "device/along.h"

#include <cstdint>

namespace weft::cuda {

/// The summed term: x; (x - mean)^2 with a mean per channel; or (x - mean) r dy with a mean and r
/// per row.
enum class ChannelTerm : std::uint8_t { plain, deviation, rowCovariance };
template <class Kept>
struct ChannelSum {
    ChannelTerm term = ChannelTerm::plain;
    Along along = {};
    double divisor = 1;
    const Kept* x = nullptr;
    const float* mean = nullptr;
    const float* r = nullptr;
    const Kept* dy = nullptr;
};

/// Bytes of scratch for `sums` numbers per channel.
[[nodiscard]] std::int64_t channelSumScratch(const Along& along, int sums = 1);

/// y[channel] = sum / divisor
void launchChannelSums(const ChannelSum<float>& sum, void* scratch, float* y, StreamHandle stream);
void launchChannelSums(const ChannelSum<Bf16>& sum, void* scratch, float* y, StreamHandle stream);

/// mean = sum x / count, variance = sum (x - mean)^2 / count per channel, in one pass over x. Needs
/// the scratch of two sums.
template <class Kept>
void launchChannelMoments(const Along& along, double count, const Kept* x, void* scratch,
                          float* mean, float* variance, StreamHandle stream);

/// Sums of d and of (x - mean) d / sqrt(variance + epsilon) per channel.
template <class Kept>
struct ChannelGradients {
    Along along = {};
    const Kept* x = nullptr;
    const float* mean = nullptr;
    const float* variance = nullptr;
    float epsilon = 0;
    /// d = dy. If the result of a ReLU is given: d = dy (+ addend), and 0 where that result is not
    /// positive.
    const Kept* dy = nullptr;
    const Kept* addend = nullptr;
    const Kept* relu = nullptr;
    /// Output for d after a ReLU; nullptr: none. May alias an operand.
    Kept* d = nullptr;
};
/// Needs the scratch of two sums. Without x, only d is summed, after a ReLU.
template <class Kept>
void launchChannelGradients(const ChannelGradients<Kept>& of, void* scratch, float* dgamma,
                            float* dbeta, StreamHandle stream);

} // namespace weft::cuda
