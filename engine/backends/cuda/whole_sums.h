// SPDX-License-Identifier: Apache-2.0
#pragma once
// One number of all elements, summed in double: blocks write theirs into the scratch, which one
// block then sums up.

#include "backends/cuda/integers.h"
#include "backends/cuda/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// What is summed up: x, (x - other)^2, 1 where x is 0, 1 where an integer is not the one that
/// is ignored.
enum class WholeTerm : std::uint8_t { plain, squaredDifference, zero, valid };
struct WholeSum {
    WholeTerm term = WholeTerm::plain;
    std::int64_t n = 0;
    double divisor = 1;
    const float* x = nullptr;
    const float* other = nullptr;
    Integers integers = {};
    std::int64_t ignored = 0;
};

/// Bytes of scratch for n elements.
[[nodiscard]] std::int64_t wholeSumScratch(std::int64_t n);
/// y = sum / divisor
void launchWholeSum(const WholeSum& sum, void* scratch, float* y, StreamHandle stream);

/// sum = of 10 log10(signal / noise) over those with both above 0, count = how many; `against`,
/// above 0, in place of the signals.
void launchDecibels(const float* signal, const float* noise, std::int64_t n, double against,
                    float* sum, float* count, StreamHandle stream);

} // namespace weft::cuda
