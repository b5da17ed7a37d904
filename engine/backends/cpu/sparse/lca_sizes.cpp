// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/sparse/lca_sizes.h"

#include <algorithm>

namespace weft::cpu {

namespace {

constexpr std::int64_t positionsAtOnce = 6;
constexpr std::int64_t floatsOfDouble = 2;

/// Returns the padded length of an atom's row, which is added in vectors of 4 or 8 floats.
std::int64_t paddedRow(std::int64_t columns) {
    constexpr std::int64_t few = 4;
    constexpr std::int64_t many = 8;
    return columns <= few ? few : (columns + many - 1) / many * many;
}

/// Returns the length of a list of active codes, which is padded and written in fours.
std::int64_t listed(const LcaSizes& sizes) {
    return LcaSizes::roundUpToLines(sizes.atoms) + LcaSizes::line;
}

} // namespace

LcaSizes::LcaSizes(const Shape& x, const Shape& code, const Windows& windows) {
    batch = x[0];
    channels = x[1];
    rows = x[2];
    columns = x[3];
    atoms = code[1];
    codeRows = code[2];
    codeColumns = code[3];
    kernelRows = windows.kernel[0];
    kernelColumns = windows.kernel[1];
    strideRows = windows.stride[0];
    strideColumns = windows.stride[1];
    top = windows.padBefore[0];
    left = windows.padBefore[1];
    paddedKernelColumns = paddedRow(kernelColumns);
    planeRows = std::max(top + rows, (codeRows - 1) * strideRows + kernelRows);
    planeColumns =
        std::max(left + columns, (codeColumns - 1) * strideColumns + paddedKernelColumns);
}

void transposeAtoms(const LcaSizes& sizes, const float* dictionary, Range panels, float* to) {
    const std::int64_t taps = sizes.taps();
    for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
        float* const transposed = to + panel * taps * LcaSizes::panel;
        for (std::int64_t n = 0; n < LcaSizes::panel; ++n) {
            const std::int64_t atom = panel * LcaSizes::panel + n;
            for (std::int64_t tap = 0; tap < taps; ++tap) {
                transposed[tap * LcaSizes::panel + n] =
                    atom < sizes.atoms ? dictionary[atom * taps + tap] : 0.0F;
            }
        }
    }
}

void padAtoms(const LcaSizes& sizes, const float* dictionary, Range atoms, float* to) {
    const std::int64_t rows = sizes.channels * sizes.kernelRows;
    for (std::int64_t atom = atoms.begin; atom < atoms.end; ++atom) {
        const float* const from = dictionary + atom * sizes.taps();
        float* const padded = to + atom * sizes.paddedAtom();
        std::fill_n(padded, sizes.paddedAtom(), 0.0F);
        for (std::int64_t row = 0; row < rows; ++row) {
            std::copy_n(from + row * sizes.kernelColumns, sizes.kernelColumns,
                        padded + row * sizes.paddedKernelColumns);
        }
    }
}

LcaImage::LcaImage(const LcaSizes& sizes, float* scratch) {
    const auto take = [&](std::int64_t floats) {
        float* const begin = scratch;
        scratch += LcaSizes::roundUpToLines(floats);
        return begin;
    };
    potential = take(sizes.state());
    code = take(sizes.state());
    residual = take(sizes.planeFloats());
    rebuilt = take(sizes.planeFloats());
    active =
        reinterpret_cast<std::uint64_t*>(take(sizes.panels() * sizes.positions() * floatsOfDouble));
    squares = reinterpret_cast<double*>(take(sizes.rows * floatsOfDouble));
    costs = reinterpret_cast<double*>(take(sizes.codeRows * floatsOfDouble));
}

std::int64_t LcaImage::floats(const LcaSizes& sizes) {
    return 2 * sizes.state() + 2 * LcaSizes::roundUpToLines(sizes.planeFloats()) +
           LcaSizes::roundUpToLines(sizes.panels() * sizes.positions() * floatsOfDouble) +
           LcaSizes::roundUpToLines(sizes.rows * floatsOfDouble) +
           LcaSizes::roundUpToLines(sizes.codeRows * floatsOfDouble);
}

LcaScratch::LcaScratch(const LcaSizes& sizes, float* scratch)
    : drive(scratch),
      patch(drive + positionsAtOnce * LcaSizes::panel),
      values(patch + sizes.paddedAtom()),
      atomIndices(reinterpret_cast<std::int32_t*>(values + listed(sizes))) {}

std::int64_t LcaScratch::floats(const LcaSizes& sizes) {
    return positionsAtOnce * LcaSizes::panel + sizes.paddedAtom() + 2 * listed(sizes);
}

} // namespace weft::cpu
