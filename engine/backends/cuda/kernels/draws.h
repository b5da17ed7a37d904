// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers equal to those of base/philox.h; they depend on the step, which only the device
// knows.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

/// The key of a draw without the step.
struct DrawKey {
    std::uint64_t seed = 0;
    std::uint64_t who = 0;  ///< layer and instance
    std::uint64_t role = 0; ///< hash of the role
};
/// The generator's key, and the upper half of its counter.
struct RandomState {
    std::array<std::uint32_t, 2> key, stream; ///< stream: upper half of the counter
};

/// Maps elements of a part to indices of the plain whole; contiguous dims are joined, innermost
/// first.
struct PartOfWhole {
    static constexpr std::size_t most = 8;    ///< maximum number of dims
    std::size_t dims = 0;                     ///< number of joined dims
    std::array<std::int64_t, most> size = {}; ///< size of the part, per dim
    std::array<std::int64_t, most> step = {}; ///< stride in the whole, per dim
    std::int64_t offset = 0;                  ///< index in the whole of the part's first element
};

/// Computes the generator's state for a step in device memory.
void launchDraw(const DrawKey& key, const Integers& step, RandomState* to, StreamHandle stream);
/// y = factor x where the upper 24 bits of the random number are at least `least`, else 0. Kept:
/// float or Bf16 (kept.h).
template <class Kept>
void launchDropout(const RandomState* from, const PartOfWhole& part, std::uint32_t least,
                   float factor, const Kept* x, Kept* y, std::int64_t n, StreamHandle stream);
/// y uniform in [middle - spread, middle + spread)
void launchUniform(const RandomState* from, const PartOfWhole& part, float middle, float spread,
                   float* y, std::int64_t n, StreamHandle stream);

} // namespace weft::cuda
