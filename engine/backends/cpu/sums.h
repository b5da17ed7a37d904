// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of one order whatever the machine does: in blocks of fixed size whose totals are added in
// double, per core, then core after core. For one set of cores the bits are equal.

#include "backends/cpu/request.h"
#include "backends/cpu/rows.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"

#include <array>
#include <cstring>

namespace weft::cpu {

/// What one element adds to each of several sums.
template <std::size_t sums>
using Terms = std::array<float, sums>;

inline constexpr std::int64_t sumBlock = 64;   ///< rows summed in float
inline constexpr std::int64_t sumWidth = 64;   ///< columns side by side in registers
inline constexpr std::int64_t runBlock = 1024; ///< elements of a run summed in float

/// Columns [first, first + width) of rows [begin, end), at most `sumBlock` of them, added to
/// `totals`. `term(row, column)`; `wide` when there are sumWidth columns.
template <std::size_t sums, bool wide, class Term>
inline void __attribute__((always_inline))
addBlock(std::int64_t begin, std::int64_t end, std::int64_t first, std::int64_t width,
         std::int64_t columns, double* totals, const Term& term) {
    const std::int64_t w = wide ? sumWidth : width;
    float part[sums][sumWidth] = {};
    for (std::int64_t row = begin; row < end; ++row) {
#pragma omp simd
        for (std::int64_t i = 0; i < w; ++i) {
            const Terms<sums> add = term(row, first + i);
            for (std::size_t s = 0; s < sums; ++s) {
                part[s][i] += add[s];
            }
        }
    }
    for (std::size_t s = 0; s < sums; ++s) {
        double* const to = totals + static_cast<std::int64_t>(s) * columns + first;
        for (std::int64_t i = 0; i < w; ++i) {
            to[i] += part[s][i];
        }
    }
}

/// Doubles of scratch for columnSums.
[[nodiscard]] inline Bytes columnSumsScratch(std::int64_t columns, std::size_t sums, int cores) {
    return {columns * static_cast<std::int64_t>(sums * sizeof(double)) * cores};
}

/// finish(column, totals) for every column, with the sums over all rows of term(row, column).
template <std::size_t sums, class Term, class Finish>
void columnSums(std::int64_t rows, std::int64_t columns, int cores, void* scratch, const Term& term,
                const Finish& finish) {
    auto* const all = static_cast<double*>(scratch);
    const std::int64_t perCore = columns * static_cast<std::int64_t>(sums);
    const int parts = rows * columns < 32768 ? 1 : cores;
    onEachCore(parts, [&](int part) {
        const Range range = partOf(rows, part, parts, sumBlock);
        double* const totals = all + part * perCore;
        std::memset(totals, 0, static_cast<std::size_t>(perCore) * sizeof(double));
        vectorised([&]() __attribute__((always_inline)) {
            for (std::int64_t row = range.begin; row < range.end; row += sumBlock) {
                const std::int64_t end = std::min(range.end, row + sumBlock);
                std::int64_t k = 0;
                for (; k + sumWidth <= columns; k += sumWidth) {
                    addBlock<sums, true>(row, end, k, sumWidth, columns, totals, term);
                }
                if (k < columns) {
                    addBlock<sums, false>(row, end, k, columns - k, columns, totals, term);
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

/// The sums over [begin, end) of term(element).
template <std::size_t sums, class Term>
inline std::array<double, sums> __attribute__((always_inline))
runSums(std::int64_t begin, std::int64_t end, const Term& term) {
    constexpr std::int64_t lanes = 32;
    std::array<double, sums> totals{};
    for (std::int64_t from = begin; from < end; from += runBlock) {
        const std::int64_t to = std::min(end, from + runBlock);
        float part[sums][lanes] = {};
        std::int64_t k = from;
        for (; k + lanes <= to; k += lanes) {
#pragma omp simd
            for (std::int64_t i = 0; i < lanes; ++i) {
                const Terms<sums> add = term(k + i);
                for (std::size_t s = 0; s < sums; ++s) {
                    part[s][i] += add[s];
                }
            }
        }
        for (std::int64_t i = 0; k + i < to; ++i) {
            const Terms<sums> add = term(k + i);
            for (std::size_t s = 0; s < sums; ++s) {
                part[s][i] += add[s];
            }
        }
        for (std::size_t s = 0; s < sums; ++s) {
            for (std::int64_t i = 0; i < lanes; ++i) {
                totals[s] += part[s][i];
            }
        }
    }
    return totals;
}

/// finish(channel, totals) for every place along a dim, with the sums over all else of
/// term(element, channel).
template <std::size_t sums, class Term, class Finish>
void channelSums(const Along& along, int cores, void* scratch, const Term& term,
                 const Finish& finish) {
    if (along.inner == 1) {
        const std::int64_t n = along.n;
        columnSums<sums>(
            along.outer, n, cores, scratch,
            [&](std::int64_t row, std::int64_t k)
                __attribute__((always_inline)) { return term(row * n + k, k); },
            finish);
        return;
    }
    const std::int64_t cost = along.outer * along.n * along.inner * static_cast<int>(sums);
    shareOut(cores, along.n, 1, cost, [&](Range range) {
        vectorised([&]() __attribute__((always_inline)) {
            for (std::int64_t k = range.begin; k < range.end; ++k) {
                std::array<double, sums> totals{};
                for (std::int64_t outer = 0; outer < along.outer; ++outer) {
                    const std::int64_t begin = (outer * along.n + k) * along.inner;
                    const auto add = runSums<sums>(
                        begin,
                        begin + along.inner, [&](std::int64_t e) __attribute__((always_inline)) {
                            return term(e, k);
                        });
                    for (std::size_t s = 0; s < sums; ++s) {
                        totals[s] += add[s];
                    }
                }
                finish(k, totals);
            }
        });
    });
}

/// The sums over all n elements: one run per core.
template <std::size_t sums, class Term>
std::array<double, sums> allSums(std::int64_t n, int cores, void* scratch, const Term& term) {
    auto* const all = static_cast<std::array<double, sums>*>(scratch);
    const int parts = n * static_cast<std::int64_t>(sums) < 32768 ? 1 : cores;
    onEachCore(parts, [&](int part) {
        const Range range = partOf(n, part, parts, runBlock);
        vectorised([&]() __attribute__((always_inline)) {
            all[part] = runSums<sums>(range.begin, range.end, term);
        });
    });
    std::array<double, sums> totals{};
    for (int part = 0; part < parts; ++part) {
        for (std::size_t s = 0; s < sums; ++s) {
            totals[s] += all[part][s];
        }
    }
    return totals;
}

[[nodiscard]] inline Bytes allSumsScratch(std::size_t sums, int cores) {
    return {static_cast<std::int64_t>(sums * sizeof(double)) * cores};
}

} // namespace weft::cpu
