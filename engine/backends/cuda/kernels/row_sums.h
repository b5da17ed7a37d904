// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums and maxima of rows of d elements, in double.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// The summed term: x, x^2, (x - mean)^2, w dy, or w dy (x - mean) r, with mean and r per row and w
/// per column.
enum class RowTerm : std::uint8_t { plain, square, deviation, weighted, normalised };
struct RowSum {
    RowTerm term = RowTerm::plain;
    std::int64_t rows = 0, d = 0; ///< d: elements per row
    double divisor = 1;           ///< divides the sum
    const float* x = nullptr;
    const float* mean = nullptr;
    const float* r = nullptr; ///< 1 / standard deviation, per row
    const float* w = nullptr; ///< weight per column
    const float* dy = nullptr;
};
/// y[row] = sum / divisor
void launchRowSums(const RowSum& sum, float* y, StreamHandle stream);
/// y[row] = the maximum of the row
void launchRowMaxima(const float* x, std::int64_t rows, std::int64_t d, float* y,
                     StreamHandle stream);
/// x in f32 or bf16 as [outer, d, columns]; y[outer, column] = the sum over d / divisor.
template <class Kept>
void launchColumnSums(const Kept* x, std::int64_t outer, std::int64_t d, std::int64_t columns,
                      double divisor, float* y, StreamHandle stream);

} // namespace weft::cuda
