// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sums of squares of many tensors at once, as many as one launch takes.

#include "backends/cuda/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

struct Squared {
    const float* x = nullptr;
    float* y = nullptr;
    std::int64_t n = 0;
};
struct SquaredBucket {
    static constexpr std::size_t most = 32;
    std::array<Squared, most> members = {};
    std::array<std::int64_t, most + 1> firstBlock = {}; ///< of each, then of all
    std::size_t count = 0;
};

/// Bytes of scratch that a tensor of n elements takes in a bucket.
[[nodiscard]] std::int64_t squaresScratch(std::int64_t n);
/// y = the sum of x^2 of each member, in two launches. Sums of up to 64 numbers are taken in f32,
/// the others in f64, in one order.
void launchSquares(SquaredBucket bucket, void* scratch, StreamHandle stream);

} // namespace weft::cuda
