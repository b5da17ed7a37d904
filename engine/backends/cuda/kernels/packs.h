// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vector loads and stores of 16 bytes for CUDA sources, or of single numbers for unaligned
// operands. Computations are in f32.

#include "backends/cuda/kernels/bf16_numbers.h"
#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/kernels/launch.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace weft::cuda {

/// Numbers per 16 bytes.
template <class Kept>
inline constexpr int packWidth = 16 / static_cast<int>(sizeof(Kept));

struct alignas(16) PackBits {
    std::uint32_t words[4];
};

/// True if the address is aligned for packs.
[[nodiscard]] inline bool isAlignedForPacks(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % sizeof(PackBits) == 0;
}

/// `width` numbers as f32.
template <int width>
struct Numbers {
    float at[width];
};

/// Numbers in their stored type, which saves registers between load and computation.
template <class Kept, int width>
struct Pack {
    static_assert(width == 1 || width == packWidth<Kept>);
    std::conditional_t<width == 1, Kept, PackBits> bits;

    [[nodiscard]] __device__ static Pack load(const Kept* address) {
        if constexpr (width == 1) {
            return {*address};
        } else {
            return {*reinterpret_cast<const PackBits*>(address)};
        }
    }
    __device__ void store(Kept* address) const {
        if constexpr (width == 1) {
            *address = bits;
        } else {
            *reinterpret_cast<PackBits*>(address) = bits;
        }
    }
    [[nodiscard]] __device__ Numbers<width> numbers() const {
        Numbers<width> x;
        if constexpr (width == 1) {
            x.at[0] = toF32(bits);
        } else if constexpr (std::is_same_v<Kept, Bf16>) {
            for (int k = 0; k < width / 2; ++k) {
                x.at[2 * k] = std::bit_cast<float>(bits.words[k] << bitsBehindBf16);
                x.at[2 * k + 1] = std::bit_cast<float>(bits.words[k] & 0xFFFF0000U);
            }
        } else {
            for (int k = 0; k < width; ++k) {
                x.at[k] = std::bit_cast<float>(bits.words[k]);
            }
        }
        return x;
    }
    [[nodiscard]] __device__ static Pack of(const Numbers<width>& x) {
        Pack pack;
        if constexpr (width == 1) {
            pack.bits = kept<Kept>(x.at[0]);
        } else if constexpr (std::is_same_v<Kept, Bf16>) {
            for (int k = 0; k < width / 2; ++k) {
                pack.bits.words[k] = twoBf16Of(x.at[2 * k], x.at[2 * k + 1]);
            }
        } else {
            for (int k = 0; k < width; ++k) {
                pack.bits.words[k] = std::bit_cast<std::uint32_t>(x.at[k]);
            }
        }
        return pack;
    }
};

} // namespace weft::cuda
