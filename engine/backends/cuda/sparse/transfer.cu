// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/sparse/transfer.h"

namespace weft::cuda {

namespace {

/// Returns the piece that contains t.
[[nodiscard]] __device__ TransferPiece pieceAt(const TransferPieces& pieces, float t) {
    TransferPiece at = pieces.of[0];
    for (std::int32_t k = 1; k < pieces.count; ++k) {
        if (t >= pieces.of[k].from) {
            at = pieces.of[k];
        }
    }
    return at;
}

[[nodiscard]] __device__ float codeAt(const TransferPieces& codes, float v) {
    const TransferPiece at = pieceAt(codes, v);
    return at.base + at.linear * (v - at.origin);
}

[[nodiscard]] __device__ float costAt(const TransferPieces& prices, float a) {
    const TransferPiece at = pieceAt(prices, a);
    const float along = a - at.origin;
    return at.base + along * (at.linear + along * at.quadratic);
}

[[nodiscard]] __device__ float argumentOf(const TransferPieces& pieces, float number) {
    return pieces.isTwoSided ? fabsf(number) : number;
}

__global__ void transferKernel(TransferPieces codes, const float* v, float* a, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const float code = codeAt(codes, argumentOf(codes, v[k]));
        a[k] = codes.isTwoSided && v[k] < 0 ? -code : code;
    }
}

__global__ void transferGradientKernel(TransferPieces codes, const float* v, const float* da,
                                       float* dv, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        dv[k] = pieceAt(codes, argumentOf(codes, v[k])).linear * da[k];
    }
}

template <class OfTeam>
__global__ void transferCostKernel(OfTeam, TransferPieces prices, const float* a, std::int64_t rows,
                                   std::int64_t d, float* y) {
    for (std::int64_t row = OfTeam::firstRow(); row < rows; row += OfTeam::rowStep()) {
        const double cost = OfTeam::template sum<double>(d, [&](std::int64_t k) {
            return static_cast<double>(costAt(prices, argumentOf(prices, a[row * d + k])));
        });
        if (OfTeam::threadInTeam() == 0) {
            y[row] = static_cast<float>(cost);
        }
    }
}

} // namespace

void launchTransfer(const TransferPieces& codes, const float* v, float* a, std::int64_t n,
                    StreamHandle stream) {
    KERNEL_LAUNCH(transferKernel, blocksFor(n), blockThreads, 0, stream, codes, v, a, n);
}

void launchTransferGradient(const TransferPieces& codes, const float* v, const float* da, float* dv,
                            std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(transferGradientKernel, blocksFor(n), blockThreads, 0, stream, codes, v, da, dv,
                  n);
}

void launchTransferCost(const TransferPieces& prices, const float* a, std::int64_t rows,
                        std::int64_t d, float* y, StreamHandle stream) {
    withTeam(rows, d, [&]<class OfTeam>(OfTeam team, unsigned blocks) {
        const auto kernel = transferCostKernel<OfTeam>;
        KERNEL_LAUNCH(kernel, blocks, blockThreads, 0, stream, team, prices, a, rows, d, y);
    });
}

} // namespace weft::cuda
