// SPDX-License-Identifier: Apache-2.0
#pragma once
// Explicit vector registers of floats, for loops that compilers do not vectorise well. Must be
// inlined into code compiled for their width (simd.h).

#include <cstdint>
#include <cstring>

// The ABI of vector arguments is irrelevant, because all functions are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace weft::cpu {

template <int width>
struct Lanes {
    using Floats __attribute__((vector_size(width * sizeof(float)))) = float;
    using Integers __attribute__((vector_size(width * sizeof(float)))) = std::int32_t;

    static inline Floats __attribute__((always_inline)) load(const float* from) {
        Floats value;
        std::memcpy(&value, from, sizeof value);
        return value;
    }
    static inline void __attribute__((always_inline)) store(float* to, const Floats& value) {
        std::memcpy(to, &value, sizeof value);
    }
    static inline Floats __attribute__((always_inline)) magnitude(const Floats& value) {
        return reinterpret_cast<Floats>(reinterpret_cast<Integers>(value) & 0x7fffffff);
    }
    /// |magnitude| with the sign of `sign`.
    static inline Floats __attribute__((always_inline))
    signedAs(const Floats& magnitude, const Floats& sign) {
        return reinterpret_cast<Floats>(
            reinterpret_cast<Integers>(magnitude) |
            (reinterpret_cast<Integers>(sign) & static_cast<std::int32_t>(0x80000000)));
    }
    /// Bit k is set if lane k is not 0; NaN does not count.
    static inline std::uint64_t __attribute__((always_inline)) active(const Floats& value) {
#if defined(__x86_64__)
        // The language's vector extension cannot extract the bits of a comparison.
        if constexpr (width == 16) {
            std::uint16_t bits;
            asm("vcmpps $4, %2, %1, %0" : "=Yk"(bits) : "v"(value), "v"(Floats{}));
            return bits;
        } else if constexpr (width == 8) {
            std::uint32_t bits;
            const Integers isActive = value != Floats{};
            asm("vmovmskps %1, %0" : "=r"(bits) : "x"(isActive));
            return bits;
        }
#endif
        std::uint64_t bits = 0;
        float numbers[width];
        store(numbers, value);
        for (int k = 0; k < width; ++k) {
            bits |= static_cast<std::uint64_t>(numbers[k] != 0) << k;
        }
        return bits;
    }
};

} // namespace weft::cpu
