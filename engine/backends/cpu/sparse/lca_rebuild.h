// SPDX-License-Identifier: Apache-2.0
#pragma once
// Second half of an iteration, for a band of rows: the reconstruction from the active codes, the
// residual, and the costs of both. Atoms are added in index order and positions in a fixed order,
// independent of bands. Must be inlined into code compiled for the register width (simd.h).

#include "backends/cpu/sparse/lca_drive.h"

#include <algorithm>
#include <bit>

namespace weft::cpu {

struct LcaRebuild {
    const LcaSizes& sizes;
    const float* atoms; ///< in the layout of LcaDictionary
    LcaCodes codes;
    LcaScratch scratch;
    float* rebuilt; ///< output: the reconstruction with its border
    /// Cost function of the codes and its result per row; null: no costs.
    const PiecewiseLinear* transfer = nullptr;
    double* costs = nullptr; ///< output, one number per row of the code; null: none
};

/// Lists the active codes of one position in atom order, padded with 0 to a multiple of four, and
/// returns their number. Works in fours, so that few branches depend on the number.
inline std::int64_t __attribute__((always_inline))
listActive(const LcaRebuild& rebuild, std::int64_t position) {
    constexpr int some = 4;
    float* const values = rebuild.scratch.values;
    std::int32_t* const atomIndices = rebuild.scratch.atomIndices;
    std::int64_t count = 0;
    for (std::int64_t panel = 0; panel < rebuild.sizes.panels(); ++panel) {
        const float* const code = rebuild.codes.values + panel * rebuild.codes.panelStep +
                                  position * rebuild.codes.positionStep;
        std::uint64_t left = rebuild.codes.active[panel * rebuild.sizes.positions() + position];
        const std::int64_t end = count + std::popcount(left);
        for (; count < end; count += some) {
#pragma GCC unroll 4
            for (int k = 0; k < some; ++k) {
                const int atom = std::countr_zero(left) % 64; // the first atom if none is left
                values[count + k] = code[atom];
                atomIndices[count + k] = static_cast<std::int32_t>(panel * LcaSizes::panel) + atom;
                left &= left - 1;
            }
        }
        count = end;
    }
    for (int k = 0; k < some; ++k) {
        values[count + k] = 0;
        atomIndices[count + k] = 0;
    }
    return count;
}

/// `vectors` registers of the patch from `from` on. With few registers, two partial sums hide the
/// latency of additions.
template <int width, int vectors>
inline void __attribute__((always_inline))
patchPart(const LcaRebuild& rebuild, std::int64_t count, std::int64_t from) {
    using L = Lanes<width>;
    constexpr int ways = vectors <= 4 ? 2 : 1;
    const float* const atoms = rebuild.atoms + from;
    const std::int64_t floats = rebuild.sizes.paddedAtom();
    typename L::Floats sum[ways][vectors] = {};
    for (std::int64_t first = 0; first < count; first += 4) {
#pragma GCC unroll 4
        for (std::int64_t k = 0; k < 4; ++k) {
            const float value = rebuild.scratch.values[first + k];
            const float* const atom = atoms + rebuild.scratch.atomIndices[first + k] * floats;
#pragma GCC unroll 12
            for (int v = 0; v < vectors; ++v) {
                sum[k % ways][v] += value * L::load(atom + v * width);
            }
        }
    }
#pragma GCC unroll 12
    for (int v = 0; v < vectors; ++v) {
        L::store(rebuild.scratch.patch + from + v * width,
                 ways == 2 ? sum[0][v] + sum[ways - 1][v] : sum[0][v]);
    }
}

template <int width>
inline void __attribute__((always_inline))
makePatch(const LcaRebuild& rebuild, std::int64_t count) {
    const std::int64_t floats = rebuild.sizes.paddedAtom();
    std::int64_t from = 0;
    for (; from + 12 * width <= floats; from += 12 * width) {
        patchPart<width, 12>(rebuild, count, from);
    }
    for (; from + 4 * width <= floats; from += 4 * width) {
        patchPart<width, 4>(rebuild, count, from);
    }
    for (; from < floats; from += width) {
        patchPart<width, 1>(rebuild, count, from);
    }
}

/// Adds the patch at its position, clipped to the band, in pieces of `piece` floats; `isOne`: a row
/// is one piece.
template <int piece, bool isOne>
inline void __attribute__((always_inline))
addPatch(const LcaRebuild& rebuild, std::int64_t row, std::int64_t column, Range band) {
    using L = Lanes<piece>;
    const LcaSizes& sizes = rebuild.sizes;
    const std::int64_t first = row * sizes.strideRows;
    const std::int64_t begin = std::max<std::int64_t>(0, band.begin - first);
    const std::int64_t end = std::min(sizes.kernelRows, band.end - first);
    const std::int64_t columns = isOne ? piece : sizes.paddedKernelColumns;
    for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
        const float* from = rebuild.scratch.patch + (channel * sizes.kernelRows + begin) * columns;
        float* to = rebuild.rebuilt +
                    (channel * sizes.planeRows + first + begin) * sizes.planeColumns +
                    column * sizes.strideColumns;
        for (std::int64_t y = begin; y < end; ++y) {
            for (std::int64_t x = 0; x < columns; x += piece) {
                L::store(to + x, L::load(to + x) + L::load(from + x));
            }
            from += columns;
            to += sizes.planeColumns;
        }
    }
}

/// Adds all positions of a row of the code. Neighbouring patches overlap, and reading data just
/// written with other alignment is slow, so overlapping positions are added in separate passes.
template <int width>
inline void __attribute__((always_inline))
rebuildRow(const LcaRebuild& rebuild, std::int64_t row, Range band) {
    const LcaSizes& sizes = rebuild.sizes;
    const bool isOwn = rebuild.costs != nullptr && row * sizes.strideRows >= band.begin &&
                       row * sizes.strideRows < band.end;
    const double costOfZero = rebuild.costs == nullptr ? 0 : rebuild.transfer->cost(0);
    const std::int64_t turns =
        (sizes.paddedKernelColumns + sizes.strideColumns - 1) / sizes.strideColumns;
    double costs[4] = {};
    std::int64_t zeros = sizes.codeColumns * sizes.atoms;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        for (std::int64_t column = turn; column < sizes.codeColumns; column += turns) {
            const std::int64_t count = listActive(rebuild, row * sizes.codeColumns + column);
            zeros -= count;
            if (isOwn) {
                rebuild.transfer->addCosts(rebuild.scratch.values, count, costs);
            }
            if (count == 0) {
                continue;
            }
            makePatch<width>(rebuild, count);
            switch (sizes.paddedKernelColumns) {
            case 4: addPatch<4, true>(rebuild, row, column, band); break;
            case 8: addPatch<8, true>(rebuild, row, column, band); break;
            default: addPatch<8, false>(rebuild, row, column, band); break;
            }
        }
    }
    if (isOwn) {
        rebuild.costs[row] = (costs[0] + costs[1]) + (costs[2] + costs[3]) +
                             (costOfZero == 0 ? 0 : static_cast<double>(zeros) * costOfZero);
    }
}

/// Returns the rows of the code whose patches reach into the band.
[[nodiscard]] inline Range rowsReaching(const LcaSizes& sizes, Range band) {
    const std::int64_t stride = sizes.strideRows;
    const std::int64_t over = band.begin - sizes.kernelRows + 1;
    const std::int64_t first = over <= 0 ? 0 : (over + stride - 1) / stride;
    return {first, std::min(sizes.codeRows, (band.end + stride - 1) / stride)};
}

/// Rebuilds a band of rows of the plane: the picture and its border.
template <int width>
inline void __attribute__((always_inline)) rebuild(const LcaRebuild& rebuild, Range band) {
    const LcaSizes& sizes = rebuild.sizes;
    for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
        std::fill_n(rebuild.rebuilt + (channel * sizes.planeRows + band.begin) * sizes.planeColumns,
                    band.size() * sizes.planeColumns, 0.0F);
    }
    const Range rows = rowsReaching(sizes, band);
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        rebuildRow<width>(rebuild, row, band);
    }
}

/// Computes the residual of rows of the picture, and its squares.
inline void __attribute__((always_inline))
takeResidual(const LcaSizes& sizes, const LcaImage& image, const float* picture, Range rows) {
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        double squares = 0;
        for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
            const std::int64_t inPlane =
                (channel * sizes.planeRows + sizes.top + row) * sizes.planeColumns + sizes.left;
            const float* const x = picture + (channel * sizes.rows + row) * sizes.columns;
            const float* const rebuilt = image.rebuilt + inPlane;
            float* const residual = image.residual + inPlane;
#pragma omp simd reduction(+ : squares)
            for (std::int64_t k = 0; k < sizes.columns; ++k) {
                const float rest = x[k] - rebuilt[k];
                residual[k] = rest;
                squares += static_cast<double>(rest) * static_cast<double>(rest);
            }
        }
        image.squares[row] = squares;
    }
}

/// Returns the rows of the picture in a band of the plane.
[[nodiscard]] inline Range pictureRows(const LcaSizes& sizes, Range band) {
    const auto inPicture = [&](std::int64_t row) {
        return std::clamp<std::int64_t>(row - sizes.top, 0, sizes.rows);
    };
    return {inPicture(band.begin), inPicture(band.end)};
}

} // namespace weft::cpu
