// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of products for ops with several sets of weights, with a fixed order of each sum.

#include <array>
#include <cstdint>

namespace weft::cpu {

/// Number of sums computed at a time; they share one operand.
inline constexpr std::int64_t sumsAtOnce = 4;

/// Dot products of one vector with four others.
inline std::array<float, sumsAtOnce> __attribute__((always_inline))
fourSums(const float* shared, const std::array<const float*, sumsAtOnce>& others,
         std::int64_t count) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    const float* const first = others[0];
    const float* const second = others[1];
    const float* const third = others[2];
    const float* const fourth = others[3];
#pragma omp simd reduction(+ : a, b, c, d)
    for (std::int64_t k = 0; k < count; ++k) {
        a += shared[k] * first[k];
        b += shared[k] * second[k];
        c += shared[k] * third[k];
        d += shared[k] * fourth[k];
    }
    return {a, b, c, d};
}

inline void __attribute__((always_inline))
addScaled(const float* from, float factor, std::int64_t count, float* to) {
#pragma omp simd
    for (std::int64_t k = 0; k < count; ++k) {
        to[k] += factor * from[k];
    }
}

} // namespace weft::cpu
