// SPDX-License-Identifier: Apache-2.0
#pragma once
// One number per row of d elements, summed in double.

#include "backends/cuda/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// What is summed up: x, x^2, (x - mean)^2, w dy, w dy (x - mean) r, with a number of mean and r
/// per row and of w per place in a row.
enum class RowTerm : std::uint8_t { plain, square, deviation, weighted, normalised };
struct RowSum {
    RowTerm term = RowTerm::plain;
    std::int64_t rows = 0, d = 0;
    double divisor = 1;
    const float* x = nullptr;
    const float* mean = nullptr;
    const float* r = nullptr;
    const float* w = nullptr;
    const float* dy = nullptr;
};
/// y[row] = sum / divisor
void launchRowSums(const RowSum& sum, float* y, StreamHandle stream);
/// y[row] = the largest of the row
void launchRowMaxima(const float* x, std::int64_t rows, std::int64_t d, float* y,
                     StreamHandle stream);
/// x, of f32 or halves, seen as [outer, d, columns], y[outer, column] = the sum over d / divisor.
template <class Kept>
void launchColumnSums(const Kept* x, std::int64_t outer, std::int64_t d, std::int64_t columns,
                      double divisor, float* y, StreamHandle stream);

} // namespace weft::cuda
