// SPDX-License-Identifier: Apache-2.0
#pragma once
// Simulates tensor core instructions on the registers of a warp, element by element, with exchange
// between lanes as in hardware.

#include "simt/threads.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace simt {

using OfLanes = std::array<std::uint64_t, 32>;

/// Two registers of every lane.
inline OfLanes allOf(std::uint32_t low, std::uint32_t high) {
    const std::uint64_t* const all = exchange(~0U, std::uint64_t{high} << 32U | low);
    OfLanes copy{};
    std::memcpy(copy.data(), all, sizeof copy);
    return copy;
}
inline std::uint32_t registerOf(std::uint64_t both, int which) {
    return static_cast<std::uint32_t>(both >> (which == 0 ? 0U : 32U));
}
inline float halfIn(std::uint32_t two, int which) {
    return std::bit_cast<float>(which == 0 ? two << 16U : two & 0xFFFF0000U);
}

/// c [16, 8] += a(row, term) b(term, column)
template <int terms, class OfA, class OfB>
void addProducts(float (&c)[4], const OfA& a, const OfB& b) {
    const int group = lane() / 4;
    const int column = lane() % 4 * 2;
    for (int k = 0; k < 4; ++k) {
        double sum = c[k];
        for (int term = 0; term < terms; ++term) {
            sum += static_cast<double>(a(group + k / 2 * 8, term)) * b(term, column + k % 2);
        }
        c[k] = static_cast<float>(sum);
    }
}

/// Multiplies bf16 values, 16 terms.
inline void multiplyBf16(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    const OfLanes front = allOf(a[0], a[1]);
    const OfLanes back = allOf(a[2], a[3]);
    const OfLanes right = allOf(b[0], b[1]);
    addProducts<16>(
        c,
        [&](int row, int term) {
            const OfLanes& of = term < 8 ? front : back;
            const auto from = static_cast<std::size_t>(row % 8 * 4 + term % 8 / 2);
            return halfIn(registerOf(of[from], row / 8), term % 2);
        },
        [&](int term, int column) {
            const auto from = static_cast<std::size_t>(column * 4 + term % 8 / 2);
            return halfIn(registerOf(right[from], term / 8), term % 2);
        });
}

/// Multiplies f32 values, of which only the bits of TF32 count, 8 terms.
inline void multiplyTf32(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    const OfLanes front = allOf(a[0], a[1]);
    const OfLanes back = allOf(a[2], a[3]);
    const OfLanes right = allOf(b[0], b[1]);
    const auto number = [](std::uint32_t bits) { return std::bit_cast<float>(bits & ~0x1FFFU); };
    addProducts<8>(
        c,
        [&](int row, int term) {
            const OfLanes& of = term < 4 ? front : back;
            const auto from = static_cast<std::size_t>(row % 8 * 4 + term % 4);
            return number(registerOf(of[from], row / 8));
        },
        [&](int term, int column) {
            const auto from = static_cast<std::size_t>(column * 4 + term % 4);
            return number(registerOf(right[from], term / 4));
        });
}

/// Four matrices of 8 rows of 8 bf16 numbers: lane 8 m + r says where row r of matrix m lies.
inline void loadMatrices(std::uint32_t (&to)[4], const std::uint16_t* row, bool isTransposed) {
    const auto address = reinterpret_cast<std::uintptr_t>(row);
    if (address % 16 != 0) {
        throw std::runtime_error("a row of a matrix begins on an odd address");
    }
    const OfLanes rows = allOf(static_cast<std::uint32_t>(address),
                               static_cast<std::uint32_t>(std::uint64_t{address} >> 32U));
    const int line = lane() / 4;
    const int pair = lane() % 4 * 2;
    const auto at = [&](int matrix, int r, int x) {
        const auto from = static_cast<std::size_t>(matrix * 8 + r);
        return std::uint32_t{reinterpret_cast<const std::uint16_t*>(rows[from])[x]};
    };
    for (int m = 0; m < 4; ++m) {
        to[m] = isTransposed ? at(m, pair, line) | at(m, pair + 1, line) << 16U
                             : at(m, line, pair) | at(m, line, pair + 1) << 16U;
    }
}

/// Rounded to the nearest, to even between two.
inline std::uint32_t halfOf(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return x != x ? bits >> 16U | 0x40U : (bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U;
}
inline std::uint32_t twoBf16(float low, float high) { return halfOf(low) | halfOf(high) << 16U; }
/// Rounded to the nearest, away from zero between two.
inline std::uint32_t tf32Of(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return x != x ? bits : (bits + 0x1000U) & ~0x1FFFU;
}

} // namespace simt
