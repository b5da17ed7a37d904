// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/lca_sizes.h"

#include <algorithm>

namespace weft::cpu {

namespace {

constexpr std::int64_t positionsAtOnce = 6;
constexpr std::int64_t floatsOfDouble = 2;

/// Rows of an atom are added in vectors of 4 or 8.
std::int64_t paddedRow(std::int64_t columns) {
    constexpr std::int64_t few = 4;
    constexpr std::int64_t many = 8;
    return columns <= few ? few : (columns + many - 1) / many * many;
}

} // namespace

LcaSizes::LcaSizes(const LcaBody& body, const RepeatBody& repeat) {
    const auto shape = [&](std::size_t operand) -> const Shape& {
        return repeat.values[static_cast<std::size_t>(repeat.operands[operand])].shape;
    };
    const Shape& x = shape(body.x);
    const Shape& code = shape(body.carried.code);
    const Windows& windows = body.windows;
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

LcaImage::LcaImage(const LcaSizes& sizes, float* room) {
    const auto take = [&](std::int64_t floats) {
        float* const begin = room;
        room += LcaSizes::inLines(floats);
        return begin;
    };
    potential = take(sizes.state());
    code = take(sizes.state());
    residual = take(sizes.planes());
    rebuilt = take(sizes.planes());
    active =
        reinterpret_cast<std::uint64_t*>(take(sizes.panels() * sizes.positions() * floatsOfDouble));
    squares = reinterpret_cast<double*>(take(sizes.rows * floatsOfDouble));
    costs = reinterpret_cast<double*>(take(sizes.codeRows * floatsOfDouble));
}

std::int64_t LcaImage::floats(const LcaSizes& sizes) {
    return 2 * sizes.state() + 2 * LcaSizes::inLines(sizes.planes()) +
           LcaSizes::inLines(sizes.panels() * sizes.positions() * floatsOfDouble) +
           LcaSizes::inLines(sizes.rows * floatsOfDouble) +
           LcaSizes::inLines(sizes.codeRows * floatsOfDouble);
}

LcaRoom::LcaRoom(const LcaSizes& sizes, float* room)
    : drive(room),
      patch(drive + positionsAtOnce * LcaSizes::panel),
      values(patch + sizes.patch()),
      which(reinterpret_cast<std::int32_t*>(values + LcaSizes::inLines(sizes.atoms))) {}

std::int64_t LcaRoom::floats(const LcaSizes& sizes) {
    return positionsAtOnce * LcaSizes::panel + sizes.patch() + 2 * LcaSizes::inLines(sizes.atoms);
}

} // namespace weft::cpu
