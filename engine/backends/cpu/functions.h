// SPDX-License-Identifier: Apache-2.0
#pragma once
// Branch-free exp, log, erf, tanh, sin, cos and power of floats, so that loops over them vectorise:
// argument reduction and polynomials with errors below float precision. NaN stays NaN.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

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

/// e^x - 1 within 3 ulp, also near 0; infinite from 88.4 on.
inline float __attribute__((always_inline)) exponentialMinusOne(float x) {
    // As exponential: 2^n (p + (1 - 2^-n)) with p = e^r - 1.
    constexpr float rounder = 12582912.0F;
    const float clamped = x < -30.0F ? -30.0F : (x > 89.0F ? 89.0F : x);
    const float n = (clamped * 1.44269504F + rounder) - rounder;
    const float r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 0.00138145911F;
    p = p * r + 0.008368717F;
    p = p * r + 0.0416683882F;
    p = p * r + 0.166665206F;
    p = p * r + 0.499999934F;
    p = p * r * r + r;
    const auto whole = static_cast<std::int32_t>(n == n ? n : 0.0F);
    const auto power = std::bit_cast<float>((whole + 127) << 23);
    const auto inverse = std::bit_cast<float>((127 - (whole < 126 ? whole : 126)) << 23);
    return (p + (1.0F - inverse)) * power;
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

/// ln(1 + x) within 3 ulp for 0 <= x <= 1, also near 0.
inline float __attribute__((always_inline)) logarithmOfOnePlus(float x) {
    const float sum = 1.0F + x;
    return logarithm(sum) + (x - (sum - 1.0F)) / sum;
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

/// The standard normal distribution: the probability of a number below x.
inline float __attribute__((always_inline)) normalDistribution(float x) {
    return 0.5F + 0.5F * errorFunction(x * (1 / std::numbers::sqrt2_v<float>));
}
/// Its density.
inline float __attribute__((always_inline)) normalDensity(float x) {
    constexpr float factor = std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
    return factor * exponential(-0.5F * x * x);
}

/// sin(x + turns pi / 2) within 2 ulp for every x.
inline float __attribute__((always_inline)) sineAfterTurns(float x, std::int32_t turns) {
    // x 2 / pi modulo 4, from the least piece on: products of x and 28 bits of 2 / pi are exact.
    constexpr double pieces[] = {0x439041Fp-196, 0x295993Cp-168, 0xDDC0DB6p-140, 0x7D1F534p-112,
                                 0x29FC275p-84,  0xE4E4415p-56,  0xA2F9836p-28};
    double quarters = 0;
    for (const double piece : pieces) {
        const double product = static_cast<double>(x) * piece;
        quarters += product - 4 * std::nearbyint(product / 4);
    }
    const double whole = std::nearbyint(quarters);
    const double angle = (quarters - whole) * (std::numbers::pi / 2);
    const double z = angle * angle;
    double sine = -1.0 / 39916800;
    sine = sine * z + 1.0 / 362880;
    sine = sine * z - 1.0 / 5040;
    sine = sine * z + 1.0 / 120;
    sine = sine * z - 1.0 / 6;
    sine = sine * z * angle + angle;
    double cosine = -1.0 / 3628800;
    cosine = cosine * z + 1.0 / 40320;
    cosine = cosine * z - 1.0 / 720;
    cosine = cosine * z + 1.0 / 24;
    cosine = cosine * z - 0.5;
    cosine = cosine * z + 1;
    const std::int32_t quarter = static_cast<std::int32_t>(whole == whole ? whole : 0) + turns;
    const double result = (quarter & 1) != 0 ? cosine : sine;
    return static_cast<float>((quarter & 2) != 0 ? -result : result);
}

/// x^exponent within 1 ulp; NaN for x < 0 unless the exponent is whole.
inline float __attribute__((always_inline)) power(float x, float exponent) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    // ln |x| in double: |x| = 2^n m, m in [sqrt(1/2), sqrt(2)), ln m = 2 artanh s.
    const double size = std::abs(static_cast<double>(x));
    const auto bits = std::bit_cast<std::int64_t>(size);
    const auto n = static_cast<std::int32_t>((bits - 0x3FE6A09E667F3BCD) >> 52);
    const auto m = std::bit_cast<double>(bits - (static_cast<std::int64_t>(n) << 52));
    const double s = (m - 1) / (m + 1);
    const double z = s * s;
    double series = 1.0 / 15;
    series = series * z + 1.0 / 13;
    series = series * z + 1.0 / 11;
    series = series * z + 1.0 / 9;
    series = series * z + 1.0 / 7;
    series = series * z + 1.0 / 5;
    series = series * z + 1.0 / 3;
    series = series * z + 1;
    double log = n * std::numbers::ln2 + 2 * s * series;
    log = size == infinity ? infinity : (size == 0 ? -infinity : log);
    // e^t in double, |t| limited to what overflows a float.
    const double t = static_cast<double>(exponent) * log;
    const double clamped = t < -120 ? -120 : (t > 120 ? 120 : t);
    const double whole = std::nearbyint(clamped * std::numbers::log2e);
    const double r = clamped - whole * std::numbers::ln2;
    double e = 1.0 / 362880;
    e = e * r + 1.0 / 40320;
    e = e * r + 1.0 / 5040;
    e = e * r + 1.0 / 720;
    e = e * r + 1.0 / 120;
    e = e * r + 1.0 / 24;
    e = e * r + 1.0 / 6;
    e = e * r + 0.5;
    e = e * r + 1;
    e = e * r + 1;
    const auto shift = static_cast<std::int32_t>(whole == whole ? whole : 0);
    const auto scale = std::bit_cast<double>(static_cast<std::int64_t>(shift + 1023) << 52);
    const auto result = static_cast<float>(e * scale);
    const bool isWhole = std::nearbyint(exponent) == exponent;
    const bool isOdd = isWhole && 2 * std::nearbyint(exponent / 2) != exponent;
    const float ofNegative =
        isWhole ? (isOdd ? -result : result) : std::numeric_limits<float>::quiet_NaN();
    const float ofNumber = x < 0 ? ofNegative : (x >= 0 ? result : x);
    return exponent == 0 ? 1.0F : ofNumber;
}

} // namespace weft::cpu
