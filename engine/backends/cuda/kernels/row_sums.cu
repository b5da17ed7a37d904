// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/bf16_numbers.h"
#include "backends/cuda/kernels/row_sums.h"
#include "backends/cuda/kernels/teams.h"

#include <cmath>

namespace weft::cuda {

namespace {

/// The term of column k of a row.
template <RowTerm term>
[[nodiscard]] __device__ double termOf(const RowSum& of, std::int64_t row, std::int64_t k) {
    const std::int64_t e = row * of.d + k;
    if constexpr (term == RowTerm::plain) {
        return of.x[e];
    } else if constexpr (term == RowTerm::square) {
        return static_cast<double>(of.x[e]) * of.x[e];
    } else if constexpr (term == RowTerm::deviation) {
        const double apart = static_cast<double>(of.x[e]) - of.mean[row];
        return apart * apart;
    } else if constexpr (term == RowTerm::weighted) {
        return static_cast<double>(of.w[k]) * of.dy[e];
    } else {
        return static_cast<double>(of.w[k]) * of.dy[e] * (of.x[e] - of.mean[row]) * of.r[row];
    }
}

template <RowTerm term, class Team>
__global__ void rowSumsKernel(Team, RowSum of, float* y) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        const double sum = Team::template sum<double>(
            of.d, [&](std::int64_t k) { return termOf<term>(of, row, k); });
        if (Team::threadInTeam() == 0) {
            y[row] = static_cast<float>(sum / of.divisor);
        }
    }
}

template <class Team>
__global__ void rowMaximaKernel(Team, const float* x, std::int64_t rows, std::int64_t d, float* y) {
    for (std::int64_t row = Team::firstRow(); row < rows; row += Team::rowStep()) {
        float most = -INFINITY;
        for (std::int64_t k = Team::threadInTeam(); k < d; k += Team::size()) {
            most = Maximum{}(most, x[row * d + k]);
        }
        most = Team::joined(Maximum{}, most, -INFINITY);
        if (Team::threadInTeam() == 0) {
            y[row] = most;
        }
    }
}

/// One thread per column, so that loads are coalesced.
template <class Kept>
__global__ void columnSumsKernel(const Kept* x, std::int64_t outer, std::int64_t d,
                                 std::int64_t columns, double divisor, float* y) {
    for (std::int64_t k = firstElement(); k < outer * columns; k += elementStep()) {
        const std::int64_t group = quotient(k, columns);
        const std::int64_t first = group * d * columns + k - group * columns;
        double sum = 0;
        for (std::int64_t row = 0; row < d; ++row) {
            sum += toF32(x[first + row * columns]);
        }
        y[k] = static_cast<float>(sum / divisor);
    }
}

template <RowTerm term>
void sumRows(const RowSum& sum, float* y, StreamHandle stream) {
    withTeam(sum.rows, sum.d, [&]<class Team>(Team team, unsigned blocks) {
        const auto kernel = rowSumsKernel<term, Team>;
        KERNEL_LAUNCH(kernel, blocks, blockThreads, 0, stream, team, sum, y);
    });
}

} // namespace

void launchRowSums(const RowSum& sum, float* y, StreamHandle stream) {
    switch (sum.term) {
    case RowTerm::plain: return sumRows<RowTerm::plain>(sum, y, stream);
    case RowTerm::square: return sumRows<RowTerm::square>(sum, y, stream);
    case RowTerm::deviation: return sumRows<RowTerm::deviation>(sum, y, stream);
    case RowTerm::weighted: return sumRows<RowTerm::weighted>(sum, y, stream);
    case RowTerm::normalised: return sumRows<RowTerm::normalised>(sum, y, stream);
    }
}

void launchRowMaxima(const float* x, std::int64_t rows, std::int64_t d, float* y,
                     StreamHandle stream) {
    withTeam(rows, d, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(rowMaximaKernel<Team>, blocks, blockThreads, 0, stream, team, x, rows, d, y);
    });
}

template <class Kept>
void launchColumnSums(const Kept* x, std::int64_t outer, std::int64_t d, std::int64_t columns,
                      double divisor, float* y, StreamHandle stream) {
    KERNEL_LAUNCH(columnSumsKernel<Kept>, blocksFor(outer * columns), blockThreads, 0, stream, x,
                  outer, d, columns, divisor, y);
}

template void launchColumnSums(const float*, std::int64_t, std::int64_t, std::int64_t, double,
                               float*, StreamHandle);
template void launchColumnSums(const Bf16*, std::int64_t, std::int64_t, std::int64_t, double,
                               float*, StreamHandle);

} // namespace weft::cuda
