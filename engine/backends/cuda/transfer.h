// SPDX-License-Identifier: Apache-2.0
#pragma once
// Codes of competing neurons by their potentials, slopes and costs: straight pieces of
// graph/transfer_function.h, of |v| where it is two-sided.

#include "backends/cuda/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

/// From `from` on and before the next piece; the first also holds before it. A number t there is
/// base + linear (t - origin) + quadratic (t - origin)^2.
struct TransferPiece {
    float from = 0, origin = 0, base = 0, linear = 0, quadratic = 0;
};
struct TransferPieces {
    static constexpr std::size_t most = 64;
    std::array<TransferPiece, most> of = {};
    std::int32_t count = 0;
    bool isTwoSided = false;
};

/// a = T(v)
void launchTransfer(const TransferPieces& codes, const float* v, float* a, std::int64_t n,
                    StreamHandle stream);
/// dv = T'(v) da
void launchTransferGradient(const TransferPieces& codes, const float* v, const float* da, float* dv,
                            std::int64_t n, StreamHandle stream);
/// y[row] = what the row's d codes cost, summed in double
void launchTransferCost(const TransferPieces& prices, const float* a, std::int64_t rows,
                        std::int64_t d, float* y, StreamHandle stream);

} // namespace weft::cuda
