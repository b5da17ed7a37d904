// SPDX-License-Identifier: Apache-2.0
#pragma once
// One or two numbers per place along a dim, summed over all other dims. A thread sums up to 64
// numbers in f32 and adds these sums in f64; sums of blocks go into the scratch and are added in a
// fixed order, so that a result has the same bits each time. x, dy and other maps are kept as f32
// or as halves.

#include "backends/cuda/kept.h"
#include "backends/cuda/stream_handle.h"
#include "device/along.h"

#include <cstdint>

namespace weft::cuda {

/// What launchChannelSums sums up: x; with a mean per place (x - mean)^2; with a mean and r per row
/// of places (x - mean) r dy.
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

/// Bytes of scratch that `sums` numbers per place take.
[[nodiscard]] std::int64_t channelSumScratch(const Along& along, int sums = 1);

/// y[place] = sum / divisor
void launchChannelSums(const ChannelSum<float>& sum, void* scratch, float* y, StreamHandle stream);
void launchChannelSums(const ChannelSum<Half>& sum, void* scratch, float* y, StreamHandle stream);

/// mean = sum x / count, variance = sum (x - mean)^2 / count per place, in one pass over x. Takes
/// the scratch of two sums.
template <class Kept>
void launchChannelMoments(const Along& along, double count, const Kept* x, void* scratch,
                          float* mean, float* variance, StreamHandle stream);

/// Sums of d and of (x - mean) d / sqrt(variance + epsilon) per place.
template <class Kept>
struct ChannelGradients {
    Along along = {};
    const Kept* x = nullptr;
    const float* mean = nullptr;
    const float* variance = nullptr;
    float epsilon = 0;
    /// d = dy; where the result of a ReLU is given, d = dy (+ addend), and 0 where it is not
    /// positive.
    const Kept* dy = nullptr;
    const Kept* addend = nullptr;
    const Kept* relu = nullptr;
    /// Where d is written after a ReLU; nullptr: nowhere. d may lie where an operand does.
    Kept* d = nullptr;
};
/// Takes the scratch of two sums. Without x only the sums of d are taken, behind a ReLU.
template <class Kept>
void launchChannelGradients(const ChannelGradients<Kept>& of, void* scratch, float* dgamma,
                            float* dbeta, StreamHandle stream);

} // namespace weft::cuda
