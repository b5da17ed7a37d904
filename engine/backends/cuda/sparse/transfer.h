// SPDX-License-Identifier: Apache-2.0
#pragma once
// Codes, slopes and costs of competing neurons: the linear pieces of graph/transfer_function.h, in
// |v| if two-sided.

#include "backends/cuda/kernels/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

/// A piece from `from` up to the next; the first also applies below. Its value at t is base +
/// linear (t - origin) + quadratic (t - origin)^2.
struct TransferPiece {
    float from = 0, origin = 0, base = 0, linear = 0, quadratic = 0;
};
struct TransferPieces {
    static constexpr std::size_t most = 64;  ///< maximum number of pieces
    std::array<TransferPiece, most> of = {}; ///< pieces, in ascending order
    std::int32_t count = 0;
    bool isTwoSided = false;
};

/// a = T(v)
void launchTransfer(const TransferPieces& codes, const float* v, float* a, std::int64_t n,
                    StreamHandle stream);
/// dv = T'(v) da
void launchTransferGradient(const TransferPieces& codes, const float* v, const float* da, float* dv,
                            std::int64_t n, StreamHandle stream);
/// y[row] = the cost of the row's d codes, summed in double
void launchTransferCost(const TransferPieces& prices, const float* a, std::int64_t rows,
                        std::int64_t d, float* y, StreamHandle stream);

} // namespace weft::cuda
