// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums over all elements, in double: blocks write their sums to scratch, and one block adds them.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// The summed term: x, (x - other)^2, 1 if x is 0, or 1 if an integer is not `ignored`.
enum class WholeTerm : std::uint8_t { plain, squaredDifference, zero, valid };
struct WholeSum {
    WholeTerm term = WholeTerm::plain;
    std::int64_t n = 0;
    double divisor = 1;
    const float* x = nullptr;
    const float* other = nullptr; ///< subtracted, for `squaredDifference`
    Integers integers = {};       ///< for `valid`
    std::int64_t ignored = 0;     ///< integer that does not count
};

/// Bytes of scratch for n elements.
[[nodiscard]] std::int64_t wholeSumScratch(std::int64_t n);
/// y = sum / divisor
void launchWholeSum(const WholeSum& sum, void* scratch, float* y, StreamHandle stream);

/// sum = the sum of 10 log10(signal / noise) over elements with both above 0, count = their number;
/// `against`, if above 0, replaces the signals.
void launchDecibels(const float* signal, const float* noise, std::int64_t n, double against,
                    float* sum, float* count, StreamHandle stream);

} // namespace weft::cuda
