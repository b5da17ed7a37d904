// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of squares of many tensors in one launch, up to a limit per launch.

#include "backends/cuda/kernels/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

struct Squared {
    const float* x = nullptr; ///< input
    float* y = nullptr;       ///< output: the sum of squares
    std::int64_t n = 0;       ///< elements of x
};
struct SquaredBucket {
    static constexpr std::size_t most = 32; ///< maximum number of members
    std::array<Squared, most> members = {};
    std::array<std::int64_t, most + 1> firstBlock = {}; ///< per member, then the total
    std::size_t count = 0;                              ///< number of members
};

/// Bytes of scratch for a tensor of n elements in a bucket.
[[nodiscard]] std::int64_t squaresScratch(std::int64_t n);
/// y = the sum of x^2 of each member, in two launches. Sums of up to 64 numbers are in f32, others
/// in f64, in a fixed order.
void launchSquares(SquaredBucket bucket, void* scratch, StreamHandle stream);

} // namespace weft::cuda
