// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loads and stores of f32 and bf16 numbers for CUDA sources; computations are in f32.

#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/kernels/launch.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace weft::cuda {

inline constexpr std::uint32_t bitsBehindBf16 = 16; ///< lower bits of an f32 that bf16 drops

[[nodiscard]] __device__ inline Bf16 bf16Of(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    Bf16 bf16 = 0;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bf16) : "f"(x));
    return bf16;
#else
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if (x != x) {
        // rounding a NaN could give infinity
        return static_cast<Bf16>((bits >> bitsBehindBf16) | 0x40U);
    }
    const std::uint32_t toEven = (bits >> bitsBehindBf16) & 1U;
    return static_cast<Bf16>((bits + 0x7FFFU + toEven) >> bitsBehindBf16);
#endif
}

/// Two bf16 in a word, the first in the lower bits. Compute capability 8.0 and later round both at
/// once.
[[nodiscard]] __device__ inline std::uint32_t twoBf16Of(float first, float second) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    std::uint32_t both = 0;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
#else
    return bf16Of(first) | static_cast<std::uint32_t>(bf16Of(second)) << bitsBehindBf16;
#endif
}

/// Four neighbours that are loaded and stored at once.
struct alignas(8) Bf16Four {
    Bf16 x, y, z, w;
};
struct alignas(8) Bf16Words { // the same as words of two bf16 each
    std::uint32_t low, high;
};
template <class Kept>
using VectorOfFour = std::conditional_t<std::is_same_v<Kept, Bf16>, Bf16Four, float4>;

[[nodiscard]] __device__ inline float toF32(float x) { return x; }
[[nodiscard]] __device__ inline float toF32(Bf16 x) {
    return std::bit_cast<float>(std::uint32_t{x} << bitsBehindBf16);
}
[[nodiscard]] __device__ inline float4 toF32(float4 x) { return x; }
[[nodiscard]] __device__ inline float4 toF32(Bf16Four x) {
    const auto [low, high] = std::bit_cast<Bf16Words>(x);
    return make_float4(
        std::bit_cast<float>(low << bitsBehindBf16), std::bit_cast<float>(low & 0xFFFF0000U),
        std::bit_cast<float>(high << bitsBehindBf16), std::bit_cast<float>(high & 0xFFFF0000U));
}

/// Converts to the stored type.
template <class Kept>
[[nodiscard]] __device__ Kept kept(float x);
template <>
[[nodiscard]] __device__ inline float kept<float>(float x) {
    return x;
}
template <>
[[nodiscard]] __device__ inline Bf16 kept<Bf16>(float x) {
    return bf16Of(x);
}
template <class Kept>
[[nodiscard]] __device__ Kept kept(float4 x);
template <>
[[nodiscard]] __device__ inline float4 kept<float4>(float4 x) {
    return x;
}
template <>
[[nodiscard]] __device__ inline Bf16Four kept<Bf16Four>(float4 x) {
    return std::bit_cast<Bf16Four>(Bf16Words{twoBf16Of(x.x, x.y), twoBf16Of(x.z, x.w)});
}

} // namespace weft::cuda
