// SPDX-License-Identifier: Apache-2.0
#pragma once
// Branch-free exp, log, erf and tanh of floats, so that loops over them vectorise: argument
// reduction and minimax polynomials (Remez) with errors below float precision. NaN stays NaN.

#include <bit>
#include <cstdint>
#include <limits>

namespace weft::cpu {

/// e^x within 2 ulp; 0 if the result would be denormal.
inline float __attribute__((always_inline)) exponential(float x) {
    // x = n ln 2 + r, |r| <= ln 2 / 2; adding and subtracting 1.5 * 2^23 rounds to an integer.
    constexpr float lowest = -87.3365F;
    constexpr float rounder = 12582912.0F;
    const float clamped = x < lowest ? lowest : (x > 89.0F ? 89.0F : x);
    const float n = (clamped * 1.44269504F + rounder) - rounder;
    const float r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 0.00138145911F;
    p = p * r + 0.008368717F;
    p = p * r + 0.0416683882F;
    p = p * r + 0.166665206F;
    p = p * r + 0.499999934F;
    const float mantissa = (p * r * r + r) + 1.0F;
    // 2^n as two factors, because n may be 128 while the result is still finite.
    const auto whole = static_cast<std::int32_t>(n == n ? n : 0.0F);
    const std::int32_t half = whole / 2;
    const auto first = std::bit_cast<float>((half + 127) << 23);
    const auto second = std::bit_cast<float>((whole - half + 127) << 23);
    const float result = mantissa * first * second;
    return x < lowest ? 0.0F : result;
}

/// ln x within 2 ulp; -inf at 0, NaN below; denormals count as the smallest normal number.
inline float __attribute__((always_inline)) logarithm(float x) {
    constexpr float least = std::numeric_limits<float>::min();
    const float normal = x < least ? least : x;
    // x = 2^n (1 + f), 1 + f in [sqrt(1/2), sqrt(2)).
    const auto bits = std::bit_cast<std::int32_t>(normal);
    const std::int32_t n = (bits - 0x3f3504f3) >> 23;
    const float f = std::bit_cast<float>(bits - (n << 23)) - 1.0F;
    float p = 0.0674657556F;
    p = p * f - 0.116755866F;
    p = p * f + 0.118881608F;
    p = p * f - 0.12405603F;
    p = p * f + 0.142195546F;
    p = p * f - 0.166679948F;
    p = p * f + 0.200021185F;
    p = p * f - 0.250000096F;
    p = p * f + 0.333333126F;
    const auto exponent = static_cast<float>(n);
    const float square = f * f;
    float result = (p * f * square - exponent * 2.12194440e-4F) - 0.5F * square;
    result = (result + f) + exponent * 0.693359375F;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    result = x == infinity ? infinity : result;
    result = x == 0 ? -infinity : result;
    return x >= 0 ? result : std::numeric_limits<float>::quiet_NaN();
}

/// erf x: a polynomial in x^2 up to 1, 1 - e^(polynomial) beyond.
inline float __attribute__((always_inline)) errorFunction(float x) {
    const float size = x < 0 ? -x : x;
    const float s = x * x;
    float near = 7.85383907e-05F;
    near = near * s - 0.000801018666F;
    near = near * s + 0.00518832686F;
    near = near * s - 0.0268538115F;
    near = near * s + 0.112835851F;
    near = near * s - 0.376126258F;
    near = near * s + 1.12837917F;
    near *= x;
    const float t = size < 4.0F ? size : 4.0F;
    float far = -2.16974352e-05F;
    far = far * t + 0.000441470336F;
    far = far * t - 0.00420527217F;
    far = far * t + 0.0252103025F;
    far = far * t - 0.108422035F;
    far = far * t - 0.633216463F;
    far = far * t - 1.12958027F;
    far = far * t + 0.000188459174F;
    far = 1.0F - exponential(far);
    far = x < 0 ? -far : far;
    return size > 1.0F ? far : near;
}

/// tanh x: x plus a polynomial near 0, an expression in e^(2x) beyond.
inline float __attribute__((always_inline)) hyperbolicTangent(float x) {
    const float size = x < 0 ? -x : x;
    const float s = x * x;
    float near = -0.00571704146F;
    near = near * s + 0.0206505839F;
    near = near * s - 0.053743497F;
    near = near * s + 0.133314913F;
    near = near * s - 0.333332839F;
    near = near * s * x + x;
    const float t = size > 10.0F ? 10.0F : size;
    float far = 1.0F - 2.0F / (exponential(2.0F * t) + 1.0F);
    far = x < 0 ? -far : far;
    return size > 0.625F ? far : near;
}

inline float __attribute__((always_inline)) logistic(float x) {
    return 1.0F / (1.0F + exponential(-x));
}

} // namespace weft::cpu
