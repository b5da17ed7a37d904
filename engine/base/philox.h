// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counter-based random numbers (Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011). Numbers are a pure function of the run's seed, origin, role, step and logical
// element, so they do not depend on the placement, and any part can be drawn alone.

#include "base/philox4x32.h"
#include <weft/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace weft {

/// The key of a series of random numbers.
struct Draw {
    std::uint64_t seed = 0;     ///< seed of the run
    Origin origin = {};         ///< layer or group that draws
    std::string_view role = {}; ///< "weight", "dropout", "shuffle"
    std::int64_t step = 0;      ///< training step
};

/// The random numbers of one key, by logical element. Element e takes word e % 4 of block e / 4, so
/// a float and a double of one element are the same number. Construction allocates nothing.
class Philox {
public:
    explicit Philox(const Draw& draw);

    [[nodiscard]] std::uint32_t bits(std::uint64_t element) const; ///< 32 random bits
    /// Uniform in [0, 1) with 24 bits.
    [[nodiscard]] float uniform(std::uint64_t element) const; ///< in [0, 1)
    /// Mean 0, variance 1, by Box-Muller; elements 2k and 2k + 1 are one pair.
    [[nodiscard]] float normal(std::uint64_t element) const; ///< mean 0, variance 1
    /// Uniform in [0, bound) for bound > 0, with a bias of at most bound / 2^64.
    [[nodiscard]] std::uint64_t below(std::uint64_t element, std::uint64_t bound) const;

    /// Fill elements first, first + 1, ... with the same numbers as single calls.
    void fillBits(std::uint64_t first, std::span<std::uint32_t> out) const;
    void fillNormal(std::uint64_t first, std::span<float> out) const;

    /// For devices that draw numbers themselves: the key, and the upper two words of the counter.
    [[nodiscard]] std::array<std::uint32_t, 2> key() const { return key_; } ///< Philox key
    [[nodiscard]] std::array<std::uint32_t, 2> stream() const { return stream_; }

private:
    [[nodiscard]] std::array<std::uint32_t, 4> block(std::uint64_t index) const; ///< 4 words

    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 2> stream_; ///< upper two words of the counter
};

} // namespace weft
