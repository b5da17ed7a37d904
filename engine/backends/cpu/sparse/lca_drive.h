// SPDX-License-Identifier: Apache-2.0
#pragma once
// First half of an iteration, for a range of positions: drive d = w * residual, potential v = e v +
// (1 - e)(d + self a), code a = T(v), and a bit per code that is not 0. Blocks of six positions by
// a panel of atoms stay in registers; each sum has a fixed order of taps. Must be inlined into code
// compiled for the register width (simd.h).

#include "backends/cpu/sparse/lca_sizes.h"
#include "backends/cpu/sparse/piecewise_linear.h"
#include "backends/cpu/team.h"

namespace weft::cpu {

struct LcaMembrane {
    float keep = 0, take = 0, self = 1; ///< v = keep v + take (drive + self a)
};

struct LcaCodeUpdate {
    const LcaSizes& sizes;
    const LcaDictionary& dictionary;
    const LcaImage& image;
    const LcaScratch& scratch; ///< the core's scratch
    const PiecewiseLinear& transfer;
    LcaMembrane membrane = {};
};

/// drive[q][n] of `rows` positions starting at `patches`, for `vectors` registers of atoms.
template <int width, int rows, int vectors>
inline void __attribute__((always_inline))
drivePart(const LcaSizes& sizes, const float* const* patches, const float* w, float* drive) {
    using L = Lanes<width>;
    typename L::Floats sum[rows][vectors] = {};
    for (std::int64_t channel = 0; channel < sizes.channels; ++channel) {
        for (std::int64_t y = 0; y < sizes.kernelRows; ++y) {
            const std::int64_t skip = (channel * sizes.planeRows + y) * sizes.planeColumns;
            for (std::int64_t x = 0; x < sizes.kernelColumns; ++x) {
                typename L::Floats right[vectors];
#pragma GCC unroll 8
                for (int v = 0; v < vectors; ++v) {
                    right[v] = L::load(w + v * width);
                }
#pragma GCC unroll 8
                for (int q = 0; q < rows; ++q) {
                    const float left = patches[q][skip + x];
#pragma GCC unroll 8
                    for (int v = 0; v < vectors; ++v) {
                        sum[q][v] += left * right[v];
                    }
                }
                w += LcaSizes::panel;
            }
        }
    }
#pragma GCC unroll 8
    for (int q = 0; q < rows; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            L::store(drive + q * LcaSizes::panel + v * width, sum[q][v]);
        }
    }
}

/// Computes `atoms` of one panel.
template <int width, int rows>
inline void __attribute__((always_inline))
drivePanel(const LcaSizes& sizes, std::int64_t position, std::int64_t atoms, const float* w,
           const float* residual, float* drive) {
    constexpr int vectors = width == 16 ? 4 : 2;
    const float* patches[rows];
    for (int q = 0; q < rows; ++q) {
        const std::int64_t row = (position + q) / sizes.codeColumns;
        const std::int64_t column = (position + q) % sizes.codeColumns;
        patches[q] =
            residual + row * sizes.strideRows * sizes.planeColumns + column * sizes.strideColumns;
    }
    std::int64_t n = 0;
    for (; n + vectors * width <= atoms; n += vectors * width) {
        drivePart<width, rows, vectors>(sizes, patches, w + n, drive + n);
    }
    for (; n < atoms; n += width) {
        drivePart<width, rows, 1>(sizes, patches, w + n, drive + n);
    }
}

/// Updates one position's atoms of one panel, in whole registers.
template <int width, bool threshold, bool twoSided>
inline std::uint64_t __attribute__((always_inline))
settle(const LcaCodeUpdate& update, std::int64_t atoms, const float* drive, float* potential,
       float* code) {
    using L = Lanes<width>;
    std::uint64_t active = 0;
    for (std::int64_t n = 0; n < atoms; n += width) {
        const typename L::Floats pull =
            L::load(drive + n) + update.membrane.self * L::load(code + n);
        const typename L::Floats v =
            update.membrane.keep * L::load(potential + n) + update.membrane.take * pull;
        const typename L::Floats a = update.transfer.code<width, threshold, twoSided>(v);
        L::store(potential + n, v);
        L::store(code + n, a);
        active |= L::active(a) << n;
    }
    return atoms == LcaSizes::panel ? active : active & ((std::uint64_t{1} << atoms) - 1);
}

template <int width, bool threshold, bool twoSided>
inline void __attribute__((always_inline))
settleAll(const LcaCodeUpdate& update, std::int64_t atoms, std::int64_t place, int rows) {
    for (std::int64_t q = 0; q < rows; ++q) {
        update.image.active[place + q] = settle<width, threshold, twoSided>(
            update, atoms, update.scratch.drive + q * LcaSizes::panel,
            update.image.potential + (place + q) * LcaSizes::panel,
            update.image.code + (place + q) * LcaSizes::panel);
    }
}

template <int width, int rows>
inline void __attribute__((always_inline))
updateRows(const LcaCodeUpdate& update, std::int64_t panel, std::int64_t position) {
    const LcaSizes& sizes = update.sizes;
    const std::int64_t atoms = std::min(LcaSizes::panel, sizes.atoms - panel * LcaSizes::panel);
    drivePanel<width, rows>(sizes, position, atoms,
                            update.dictionary.transposed + panel * sizes.taps() * LcaSizes::panel,
                            update.image.residual, update.scratch.drive);
    const std::int64_t place = panel * sizes.positions() + position;
    if (update.transfer.isThreshold()) {
        update.transfer.isTwoSided() ? settleAll<width, true, true>(update, atoms, place, rows)
                                     : settleAll<width, true, false>(update, atoms, place, rows);
    } else {
        update.transfer.isTwoSided() ? settleAll<width, false, true>(update, atoms, place, rows)
                                     : settleAll<width, false, false>(update, atoms, place, rows);
    }
}

template <int width>
inline void __attribute__((always_inline))
updateCodes(const LcaCodeUpdate& update, Range positions) {
    for (std::int64_t panel = 0; panel < update.sizes.panels(); ++panel) {
        std::int64_t p = positions.begin;
        for (; p + 6 <= positions.end; p += 6) {
            updateRows<width, 6>(update, panel, p);
        }
        for (; p + 2 <= positions.end; p += 2) {
            updateRows<width, 2>(update, panel, p);
        }
        for (; p < positions.end; ++p) {
            updateRows<width, 1>(update, panel, p);
        }
    }
}

} // namespace weft::cpu
