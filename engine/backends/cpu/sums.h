// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums with a fixed order: float sums of blocks of fixed size are added in double per core, then
// over the cores in order, so that results are equal for equal numbers of cores. Several sums over
// the same elements use one pass; each has its own term (terms that return pairs would be kept in
// memory).

#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"
#include "device/rows.h"

#include <array>
#include <cstring>
#include <utility>

namespace weft::cpu {

inline constexpr std::int64_t sumBlock = 64;   ///< rows summed in float
inline constexpr std::int64_t sumWidth = 64;   ///< columns in registers at a time
inline constexpr std::int64_t runBlock = 1024; ///< elements of a run summed in float

/// Adds columns [first, first + width) of at most `sumBlock` rows [begin, end) to `totals`. `wide`:
/// there are sumWidth columns.
template <bool wide, class... Term>
inline void __attribute__((always_inline))
addBlock(Range rows, std::int64_t first, std::int64_t width, std::int64_t columns, double* totals,
         Term... term) {
    constexpr std::size_t sums = sizeof...(Term);
    const std::int64_t w = wide ? sumWidth : width;
    float part[sums][sumWidth] = {};
    [&]<std::size_t... s>(std::index_sequence<s...>) __attribute__((always_inline)) {
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
#pragma omp simd
            for (std::int64_t i = 0; i < w; ++i) {
                ((part[s][i] += term(row, first + i)), ...);
            }
        }
    }
    (std::make_index_sequence<sums>{});
    for (std::size_t s = 0; s < sums; ++s) {
        double* const to = totals + static_cast<std::int64_t>(s) * columns + first;
        for (std::int64_t i = 0; i < w; ++i) {
            to[i] += part[s][i];
        }
    }
}

[[nodiscard]] inline Bytes columnSumsScratch(std::int64_t columns, std::size_t sums, int cores) {
    return {columns * static_cast<std::int64_t>(sums * sizeof(double)) * cores};
}

/// Calls finish(column, totals) for every column, with the sums of term(row, column) over all rows.
template <class Finish, class... Term>
void columnSums(std::int64_t rows, std::int64_t columns, int cores, void* scratch,
                const Finish& finish, const Term&... term) {
    constexpr std::size_t sums = sizeof...(Term);
    auto* const all = static_cast<double*>(scratch);
    const std::int64_t perCore = columns * static_cast<std::int64_t>(sums);
    const int parts = rows * columns < 32768 ? 1 : cores;
    onEachCore(parts, [&](int part) {
        const Range range = partOf(rows, part, parts, sumBlock);
        double* const totals = all + part * perCore;
        std::memset(totals, 0, static_cast<std::size_t>(perCore) * sizeof(double));
        vectorised([=]() __attribute__((always_inline)) {
            for (std::int64_t row = range.begin; row < range.end; row += sumBlock) {
                const Range block{row, std::min(range.end, row + sumBlock)};
                std::int64_t k = 0;
                for (; k + sumWidth <= columns; k += sumWidth) {
                    addBlock<true>(block, k, sumWidth, columns, totals, term...);
                }
                if (k < columns) {
                    addBlock<false>(block, k, columns - k, columns, totals, term...);
                }
            }
        });
    });
    for (std::int64_t k = 0; k < columns; ++k) {
        std::array<double, sums> totals{};
        for (int part = 0; part < parts; ++part) {
            for (std::size_t s = 0; s < sums; ++s) {
                totals[s] += all[part * perCore + static_cast<std::int64_t>(s) * columns + k];
            }
        }
        finish(k, totals);
    }
}

/// Returns the sums of term(element) over [begin, end).
template <class... Term>
inline std::array<double, sizeof...(Term)> __attribute__((always_inline))
runSums(std::int64_t begin, std::int64_t end, Term... term) {
    constexpr std::size_t sums = sizeof...(Term);
    constexpr std::int64_t lanes = 64;
    std::array<double, sums> totals{};
    for (std::int64_t from = begin; from < end; from += runBlock) {
        const std::int64_t to = std::min(end, from + runBlock);
        float part[sums][lanes] = {};
        [&]<std::size_t... s>(std::index_sequence<s...>) __attribute__((always_inline)) {
            std::int64_t k = from;
            for (; k + lanes <= to; k += lanes) {
#pragma omp simd
                for (std::int64_t i = 0; i < lanes; ++i) {
                    ((part[s][i] += term(k + i)), ...);
                }
            }
#pragma omp simd
            for (std::int64_t i = 0; i < to - k; ++i) {
                ((part[s][i] += term(k + i)), ...);
            }
        }
        (std::make_index_sequence<sums>{});
        for (std::size_t s = 0; s < sums; ++s) {
            for (std::int64_t half = lanes / 2; half > 0; half /= 2) {
                for (std::int64_t i = 0; i < half; ++i) {
                    part[s][i] += part[s][i + half];
                }
            }
            totals[s] += part[s][0];
        }
    }
    return totals;
}

/// Calls finish(channel, totals) for every index of a dim, with the sums of term(element, channel)
/// over all other dims.
template <class Finish, class... Term>
void channelSums(const Along& along, int cores, void* scratch, const Finish& finish,
                 const Term&... term) {
    constexpr std::size_t sums = sizeof...(Term);
    if (along.inner == 1) {
        const std::int64_t n = along.n;
        columnSums(
            along.outer, n, cores, scratch, finish,
            [ term, n ](std::int64_t row, std::int64_t k)
                __attribute__((always_inline)) { return term(row * n + k, k); }...);
        return;
    }
    const std::int64_t cost = along.outer * along.n * along.inner * static_cast<int>(sums);
    shareOut(cores, along.n, 1, cost, [&](Range range) {
        vectorised([=]() __attribute__((always_inline)) {
            for (std::int64_t k = range.begin; k < range.end; ++k) {
                std::array<double, sums> totals{};
                for (std::int64_t outer = 0; outer < along.outer; ++outer) {
                    const std::int64_t begin = (outer * along.n + k) * along.inner;
                    const auto add = runSums(
                        begin, begin + along.inner,
                        [ term, k ](std::int64_t e)
                            __attribute__((always_inline)) { return term(e, k); }...);
                    for (std::size_t s = 0; s < sums; ++s) {
                        totals[s] += add[s];
                    }
                }
                finish(k, totals);
            }
        });
    });
}

/// Returns the sum over n elements, with one run per core.
template <class Term>
double wholeSum(std::int64_t n, int cores, void* scratch, const Term& term) {
    auto* const all = static_cast<double*>(scratch);
    const int parts = n < 32768 ? 1 : cores;
    onEachCore(parts, [&](int part) {
        const Range range = partOf(n, part, parts, runBlock);
        vectorised([=]() __attribute__((always_inline)) {
            all[part] = runSums(range.begin, range.end, term)[0];
        });
    });
    double total = 0;
    for (int part = 0; part < parts; ++part) {
        total += all[part];
    }
    return total;
}

[[nodiscard]] inline Bytes wholeSumScratch(int cores) {
    return {static_cast<std::int64_t>(sizeof(double)) * cores};
}

} // namespace weft::cpu
