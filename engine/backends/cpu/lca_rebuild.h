// SPDX-License-Identifier: Apache-2.0
#pragma once
// Second half of a round, for a band of rows: the reconstruction from the codes that are not 0, the
// residual, and what both cost. Atoms are added in the order of their index, positions in one order
// that no band changes. To be inlined into work that was compiled for the registers' width
// (simd.h).

#include "backends/cpu/lca_drive.h"

#include <algorithm>
#include <bit>

namespace weft::cpu {

struct LcaRebuild {
    const LcaSizes& sizes;
    const LcaDictionary& dictionary;
    const LcaImage& image;
    const LcaRoom& room;
    const StraightPieces& transfer;
    const float* x; ///< the picture, plain
};

/// The active codes of one position, in the order of their atoms; how many they are.
inline std::int64_t __attribute__((always_inline))
listActive(const LcaRebuild& at, std::int64_t position) {
    std::int64_t count = 0;
    for (std::int64_t panel = 0; panel < at.sizes.panels(); ++panel) {
        const std::int64_t place = panel * at.sizes.positions() + position;
        const float* const code = at.image.code + place * LcaSizes::panel;
        for (std::uint64_t left = at.image.active[place]; left != 0; left &= left - 1) {
            const int atom = std::countr_zero(left);
            at.room.values[count] = code[atom];
            at.room.which[count] = static_cast<std::int32_t>(panel * LcaSizes::panel) + atom;
            ++count;
        }
    }
    return count;
}

/// `vectors` registers of the patch from `from` on. Few of them are summed by twos, so that a sum
/// does not wait for the one before it.
template <int width, int vectors>
inline void __attribute__((always_inline))
patchPart(const LcaRebuild& at, std::int64_t count, std::int64_t from) {
    using L = Lanes<width>;
    constexpr int ways = vectors <= 4 ? 2 : 1;
    const float* const atoms = at.dictionary.atoms + from;
    const std::int64_t patch = at.sizes.patch();
    typename L::Floats sum[ways][vectors] = {};
    std::int64_t k = 0;
    for (; k + ways <= count; k += ways) {
#pragma GCC unroll 2
        for (int way = 0; way < ways; ++way) {
            const float value = at.room.values[k + way];
            const float* const atom = atoms + at.room.which[k + way] * patch;
#pragma GCC unroll 12
            for (int v = 0; v < vectors; ++v) {
                sum[way][v] += value * L::load(atom + v * width);
            }
        }
    }
    if (k < count) {
        const float value = at.room.values[k];
        const float* const atom = atoms + at.room.which[k] * patch;
#pragma GCC unroll 12
        for (int v = 0; v < vectors; ++v) {
            sum[0][v] += value * L::load(atom + v * width);
        }
    }
#pragma GCC unroll 12
    for (int v = 0; v < vectors; ++v) {
        L::store(at.room.patch + from + v * width,
                 ways == 2 ? sum[0][v] + sum[ways - 1][v] : sum[0][v]);
    }
}

template <int width>
inline void __attribute__((always_inline)) makePatch(const LcaRebuild& at, std::int64_t count) {
    const std::int64_t patch = at.sizes.patch();
    std::int64_t from = 0;
    for (; from + 12 * width <= patch; from += 12 * width) {
        patchPart<width, 12>(at, count, from);
    }
    for (; from + 4 * width <= patch; from += 4 * width) {
        patchPart<width, 4>(at, count, from);
    }
    for (; from < patch; from += width) {
        patchPart<width, 1>(at, count, from);
    }
}

/// Adds the patch where its position lies, as far as that is in the band.
template <int piece>
inline void __attribute__((always_inline))
addPatch(const LcaRebuild& at, std::int64_t row, std::int64_t column, Range band) {
    using L = Lanes<piece>;
    const LcaSizes& sizes = at.sizes;
    const std::int64_t first = row * sizes.strideRows;
    const std::int64_t begin = std::max<std::int64_t>(0, band.begin - first);
    const std::int64_t end = std::min(sizes.kernelRows, band.end - first);
    for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
        const float* from =
            at.room.patch + (channel * sizes.kernelRows + begin) * sizes.paddedKernelColumns;
        float* to = at.image.rebuilt +
                    (channel * sizes.planeRows + first + begin) * sizes.planeColumns +
                    column * sizes.strideColumns;
        for (std::int64_t y = begin; y < end; ++y) {
            for (std::int64_t x = 0; x < sizes.paddedKernelColumns; x += piece) {
                L::store(to + x, L::load(to + x) + L::load(from + x));
            }
            from += sizes.paddedKernelColumns;
            to += sizes.planeColumns;
        }
    }
}

/// What the codes of one position cost: those that are listed, and all that are 0.
inline double __attribute__((always_inline))
costOf(const LcaRebuild& at, std::int64_t count, double costOfZero) {
    return static_cast<double>(at.sizes.atoms - count) * costOfZero +
           at.transfer.costs(at.room.values, count);
}

/// All positions of a row of the code. Neighbours overlap, and what has just been written is slow
/// to be read in other pieces: those between come in later turns.
template <int width>
inline void __attribute__((always_inline))
rebuildRow(const LcaRebuild& at, std::int64_t row, Range band) {
    const LcaSizes& sizes = at.sizes;
    const bool isOwn = row * sizes.strideRows >= band.begin && row * sizes.strideRows < band.end;
    const double costOfZero = at.transfer.cost(0);
    const std::int64_t turns =
        (sizes.paddedKernelColumns + sizes.strideColumns - 1) / sizes.strideColumns;
    double cost = 0;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        for (std::int64_t column = turn; column < sizes.codeColumns; column += turns) {
            const std::int64_t count = listActive(at, row * sizes.codeColumns + column);
            cost += isOwn ? costOf(at, count, costOfZero) : 0;
            if (count == 0) {
                continue;
            }
            makePatch<width>(at, count);
            if (sizes.paddedKernelColumns % 8 == 0) {
                addPatch<8>(at, row, column, band);
            } else {
                addPatch<4>(at, row, column, band);
            }
        }
    }
    if (isOwn) {
        at.image.costs[row] = cost;
    }
}

/// The residual of rows of the picture, and their squares.
inline void __attribute__((always_inline)) takeResidual(const LcaRebuild& at, Range rows) {
    const LcaSizes& sizes = at.sizes;
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        double squares = 0;
        for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
            const std::int64_t inPlane =
                (channel * sizes.planeRows + sizes.top + row) * sizes.planeColumns + sizes.left;
            const float* const x = at.x + (channel * sizes.rows + row) * sizes.columns;
            const float* const rebuilt = at.image.rebuilt + inPlane;
            float* const residual = at.image.residual + inPlane;
#pragma omp simd reduction(+ : squares)
            for (std::int64_t k = 0; k < sizes.columns; ++k) {
                const float rest = x[k] - rebuilt[k];
                residual[k] = rest;
                squares += static_cast<double>(rest) * static_cast<double>(rest);
            }
        }
        at.image.squares[row] = squares;
    }
}

/// A band of rows of the plane: the picture and its border.
template <int width>
inline void __attribute__((always_inline)) rebuild(const LcaRebuild& at, Range band) {
    const LcaSizes& sizes = at.sizes;
    for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
        std::fill_n(at.image.rebuilt +
                        (channel * sizes.planeRows + band.begin) * sizes.planeColumns,
                    band.size() * sizes.planeColumns, 0.0F);
    }
    const std::int64_t stride = sizes.strideRows;
    // The first row of the code whose patch reaches the band.
    const std::int64_t over = band.begin - sizes.kernelRows + 1;
    const std::int64_t first = over <= 0 ? 0 : (over + stride - 1) / stride;
    for (std::int64_t row = first; row < sizes.codeRows && row * stride < band.end; ++row) {
        rebuildRow<width>(at, row, band);
    }
    const auto inPicture = [&](std::int64_t row) {
        return std::clamp<std::int64_t>(row - sizes.top, 0, sizes.rows);
    };
    takeResidual(at, {inPicture(band.begin), inPicture(band.end)});
}

} // namespace weft::cpu
