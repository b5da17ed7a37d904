// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/products/product.h"

#include "backends/cpu/products/tile_product.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"

namespace weft::cpu {

namespace {

constexpr std::int64_t rowsOfBlock = 192;
constexpr std::int64_t columnsOfBlock = 256;
constexpr std::int64_t depthOfBlock = 256;

/// packed[k, n] = b[k, n] for one block, with dense rows.
inline void __attribute__((always_inline))
pack(const PlainProduct& p, const float* b, std::int64_t depth, std::int64_t columns,
     float* packed) {
    constexpr std::int64_t tile = 16;
    for (std::int64_t n = 0; n < columns; n += tile) {
        const std::int64_t last = std::min(columns, n + tile);
        for (std::int64_t k = 0; k < depth; ++k) {
            for (std::int64_t i = n; i < last; ++i) {
                packed[k * columnsOfBlock + i] = b[k * p.bRow + i * p.bStep];
            }
        }
    }
}

template <int width>
inline void __attribute__((always_inline))
makeBlock(const PlainProduct& p, const float* a, const float* b, float* c, std::int64_t row,
          std::int64_t column, float* packed) {
    const std::int64_t rows = std::min(rowsOfBlock, p.m - row);
    const std::int64_t columns = std::min(columnsOfBlock, p.n - column);
    float* const to = c + row * p.n + column;
    for (std::int64_t r = 0; r < rows; ++r) {
        std::fill_n(to + r * p.n, columns, 0.0F);
    }
    for (std::int64_t k = 0; k < p.k; k += depthOfBlock) {
        const std::int64_t depth = std::min(depthOfBlock, p.k - k);
        pack(p, b + k * p.bRow + column * p.bStep, depth, columns, packed);
        multiplyAdd<width>({rows, columns, depth, a + row * p.aRow + k * p.aStep, p.aRow, p.aStep,
                            packed, columnsOfBlock, to, p.n});
    }
}

} // namespace

Bytes productScratch(int cores) {
    return {columnsOfBlock * depthOfBlock * static_cast<std::int64_t>(sizeof(float)) * cores};
}

void runProduct(const PlainProduct& p, const float* a, const float* b, float* c, int cores,
                void* scratch) {
    auto* const room = static_cast<float*>(scratch);
    const std::int64_t down = (p.m + rowsOfBlock - 1) / rowsOfBlock;
    const std::int64_t across = (p.n + columnsOfBlock - 1) / columnsOfBlock;
    const int parts = p.m * p.n * p.k < 65536 ? 1 : cores;
    onEachCore(parts, [&](int part) {
        const Range blocks = partOf(down * across, part, parts);
        float* const packed = room + part * columnsOfBlock * depthOfBlock;
        vectorisedByWidth([&](auto width) __attribute__((always_inline)) {
            for (std::int64_t block = blocks.begin; block < blocks.end; ++block) {
                makeBlock<decltype(width)::value>(p, a, b, c, block / across * rowsOfBlock,
                                                  block % across * columnsOfBlock, packed);
            }
        });
    });
}

} // namespace weft::cpu
