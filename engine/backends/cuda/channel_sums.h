// SPDX-License-Identifier: Apache-2.0
#pragma once
// One number per place along a dim, summed over all else in double: parts of the sums go into the
// scratch and are then added up.

#include "backends/cuda/kept.h"
#include "backends/cuda/stream.h"
#include "device/along.h"

#include <cstdint>

namespace weft::cuda {

/// What is summed up, with numbers of mean per place: x, (x - mean)^2, (x - mean) dy; with numbers
/// of mean and r per row of places: (x - mean) r dy. x and dy are kept as f32 or as halves.
enum class ChannelTerm : std::uint8_t { plain, deviation, covariance, rowCovariance };
template <class Kept>
struct ChannelSum {
    ChannelTerm term = ChannelTerm::plain;
    Along along = {};
    double divisor = 1;
    const Kept* x = nullptr;
    const float* mean = nullptr;
    const float* r = nullptr;
    const Kept* dy = nullptr;
    /// Where given, sums are also divided by sqrt(variance + epsilon) of their place.
    const float* variance = nullptr;
    float epsilon = 0;
};

/// Bytes of scratch.
[[nodiscard]] std::int64_t channelSumScratch(const Along& along);
/// y[place] = sum / divisor
void launchChannelSums(const ChannelSum<float>& sum, void* scratch, float* y, Stream stream);
void launchChannelSums(const ChannelSum<Half>& sum, void* scratch, float* y, Stream stream);

} // namespace weft::cuda
