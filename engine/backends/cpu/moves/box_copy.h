// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies a box of elements between two layouts: row by row if both are contiguous along the same
// dim, else in small tiles, so that both sides stay in the L1 cache.

#include "backends/cpu/team.h"
#include "device/box_copy.h"

#include <cstring>

namespace weft::cpu {

template <class T>
void copyTiles(const BoxCopy& copy, const T* from, T* to, Range rows) {
    constexpr std::int64_t tile = 16;
    const BoxCopy::Loop along = copy.along;
    const BoxCopy::Loop across = copy.across;
    for (std::int64_t a = rows.begin; a < rows.end; a += tile) {
        const std::int64_t lastA = std::min(rows.end, a + tile);
        for (std::int64_t b = 0; b < along.size; b += tile) {
            const std::int64_t lastB = std::min(along.size, b + tile);
            for (std::int64_t i = a; i < lastA; ++i) {
                for (std::int64_t j = b; j < lastB; ++j) {
                    to[i * across.to + j * along.to] = from[i * across.from + j * along.from];
                }
            }
        }
    }
}

template <class T>
void runCopy(const BoxCopy& copy, const T* from, T* to, int cores) {
    const std::int64_t outers = copy.outerSize();
    const std::int64_t rows = outers * copy.across.size;
    const std::int64_t length = copy.along.size;
    shareOut(cores, rows, 1, 2 * rows * length, [&](Range range) {
        const bool isDense = copy.along.from == 1 && copy.along.to == 1;
        while (range.size() > 0) {
            const std::int64_t outer = range.begin / copy.across.size;
            const Range inner{range.begin - outer * copy.across.size,
                              std::min(copy.across.size, range.end - outer * copy.across.size)};
            const auto [source, target] = offsetsOf(copy, outer);
            if (isDense) {
                for (std::int64_t i = inner.begin; i < inner.end; ++i) {
                    std::memcpy(to + target + i * copy.across.to,
                                from + source + i * copy.across.from,
                                static_cast<std::size_t>(length) * sizeof(T));
                }
            } else {
                copyTiles(copy, from + source, to + target, inner);
            }
            range.begin += inner.size();
        }
    });
}

} // namespace weft::cpu
