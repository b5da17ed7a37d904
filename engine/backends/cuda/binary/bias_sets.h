// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adds a bias of several sets to x as [batch, before, features, behind]; positions are `before` and
// `behind`.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

struct BiasSets {
    std::int64_t batch = 1, before = 1, features = 1, behind = 1;
    bool perElement = false, perPosition = false; ///< what has a bias of its own

    [[nodiscard]] constexpr std::int64_t positions() const { return before * behind; }
    [[nodiscard]] constexpr std::int64_t elements() const { return batch * positions() * features; }
    /// Numbers of b: [batch, positions, features] without the dims that share a set.
    [[nodiscard]] constexpr std::int64_t numbers() const {
        return (perElement ? batch : 1) * (perPosition ? positions() : 1) * features;
    }
};
/// y = x + b; y may be x
void launchBiasSets(const BiasSets& sets, const float* x, const float* b, float* y,
                    StreamHandle stream);
/// db = the sum of dy over everything that shares a number of b, in double
void launchBiasSetsGradient(const BiasSets& sets, const float* dy, float* db, StreamHandle stream);

} // namespace weft::cuda
