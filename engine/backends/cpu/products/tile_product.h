// SPDX-License-Identifier: Apache-2.0
#pragma once
// c[m, n] += sum_k a[m, k] b[k, n] on tiles in the L1 cache: sums stay in registers, a has any
// strides, and rows of b and c are dense. Must be inlined into code compiled for the register width
// (simd.h).

#include <cstdint>
#include <cstring>

namespace weft::cpu {

struct TileProduct {
    std::int64_t m = 0, n = 0, k = 0;
    const float* a = nullptr;
    std::int64_t aRow = 0, aStep = 1; ///< strides along m and k
    const float* b = nullptr;
    std::int64_t bRow = 0; ///< stride in elements between rows of b
    float* c = nullptr;
    std::int64_t cRow = 0; ///< stride in elements between rows of c
};

/// `rows` rows from `row` on, `vectors` registers of columns from `column` on.
template <int width, int rows, int vectors>
inline void __attribute__((always_inline))
multiplyBlock(const TileProduct& p, std::int64_t row, std::int64_t column) {
    typedef float Vector __attribute__((vector_size(width * sizeof(float))));
    Vector sum[rows][vectors] = {};
    const float* a = p.a + row * p.aRow;
    const float* b = p.b + column;
    for (std::int64_t k = 0; k < p.k; ++k) {
        Vector right[vectors];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            std::memcpy(&right[v], b + v * width, sizeof right[v]);
        }
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            const float left = a[r * p.aRow];
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v) {
                sum[r][v] += left * right[v];
            }
        }
        a += p.aStep;
        b += p.bRow;
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
        float* const c = p.c + (row + r) * p.cRow + column;
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            Vector to;
            std::memcpy(&to, c + v * width, sizeof to);
            to += sum[r][v];
            std::memcpy(c + v * width, &to, sizeof to);
        }
    }
}

template <int width, int vectors>
inline void __attribute__((always_inline))
multiplyColumns(const TileProduct& p, std::int64_t column) {
    std::int64_t row = 0;
    for (; row + 6 <= p.m; row += 6) {
        multiplyBlock<width, 6, vectors>(p, row, column);
    }
    for (; row + 2 <= p.m; row += 2) {
        multiplyBlock<width, 2, vectors>(p, row, column);
    }
    for (; row < p.m; ++row) {
        multiplyBlock<width, 1, vectors>(p, row, column);
    }
}

template <int width>
inline void __attribute__((always_inline)) multiplyAdd(const TileProduct& p) {
    constexpr int vectors = width == 16 ? 4 : 2;
    std::int64_t column = 0;
    for (; column + vectors * width <= p.n; column += vectors * width) {
        multiplyColumns<width, vectors>(p, column);
    }
    for (; column + width <= p.n; column += width) {
        multiplyColumns<width, 1>(p, column);
    }
    for (; column + 4 <= p.n; column += 4) {
        multiplyColumns<4, 1>(p, column);
    }
    for (; column < p.n; ++column) {
        for (std::int64_t row = 0; row < p.m; ++row) {
            float sum = 0;
            for (std::int64_t k = 0; k < p.k; ++k) {
                sum += p.a[row * p.aRow + k * p.aStep] * p.b[k * p.bRow + column];
            }
            p.c[row * p.cRow + column] += sum;
        }
    }
}

} // namespace weft::cpu
