// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers of base/philox.h, bit for bit: which they are depends on the step, which only the
// device knows.

#include "backends/cuda/integers.h"
#include "backends/cuda/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

/// What a draw is known by, beside its step.
struct DrawKey {
    std::uint64_t seed = 0;
    std::uint64_t who = 0;  ///< layer and instance
    std::uint64_t role = 0; ///< hashed
};
/// The key of the generator, and the upper half of its counter.
struct DrawnFrom {
    std::array<std::uint32_t, 2> key, stream;
};

/// Where elements of a part stand in the plain whole, dims that are one run joined, as they lie,
/// innermost first.
struct PartOfWhole {
    static constexpr std::size_t most = 8;
    std::size_t dims = 0;
    std::array<std::int64_t, most> size = {};
    std::array<std::int64_t, most> step = {};
    std::int64_t offset = 0;
};

/// Settles what a step draws from: into `to`, on the device.
void launchDraw(const DrawKey& key, const Integers& step, DrawnFrom* to, StreamHandle stream);
/// y = factor x where the upper 24 bits of its element are at least `least`, else 0. Kept: float,
/// or Half (kept.h).
template <class Kept>
void launchDropout(const DrawnFrom* from, const PartOfWhole& part, std::uint32_t least,
                   float factor, const Kept* x, Kept* y, std::int64_t n, StreamHandle stream);
/// y evenly in [middle - spread, middle + spread)
void launchUniform(const DrawnFrom* from, const PartOfWhole& part, float middle, float spread,
                   float* y, std::int64_t n, StreamHandle stream);

} // namespace weft::cuda
