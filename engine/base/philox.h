// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random numbers by counter (Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as 1,
// 2, 3", SC 2011). What is drawn is a pure function of the run's seed, who draws, what for, the
// step and the logical element: it does not depend on how the work is spread, and any part can be
// drawn without the rest.

#include "base/philox4x32.h"
#include <weft/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace weft {

/// What is being drawn.
struct Draw {
    std::uint64_t seed = 0; ///< of the run
    Origin origin = {};
    std::string_view role = {}; ///< "weight", "dropout", "shuffle"
    std::int64_t step = 0;
};

/// The numbers of one draw, by logical element. Element e takes word e % 4 of block e / 4, so a
/// float and a double of one element are the same number. Making one allocates nothing.
class Philox {
public:
    explicit Philox(const Draw& draw);

    [[nodiscard]] std::uint32_t bits(std::uint64_t element) const;
    /// 24 bits in [0, 1).
    [[nodiscard]] float uniform(std::uint64_t element) const;
    /// Mean 0, variance 1, by Box and Muller: elements 2k and 2k + 1 are one pair.
    [[nodiscard]] float normal(std::uint64_t element) const;
    /// Evenly in [0, bound), each number as likely as the next to bound / 2^64; bound > 0.
    [[nodiscard]] std::uint64_t below(std::uint64_t element, std::uint64_t bound) const;

    /// Elements first, first + 1, ...: the same numbers as one by one.
    void fillBits(std::uint64_t first, std::span<std::uint32_t> out) const;
    void fillNormal(std::uint64_t first, std::span<float> out) const;

    /// For a device that draws by itself: the key, and the upper two words of the counter.
    [[nodiscard]] std::array<std::uint32_t, 2> key() const { return key_; }
    [[nodiscard]] std::array<std::uint32_t, 2> stream() const { return stream_; }

private:
    [[nodiscard]] std::array<std::uint32_t, 4> block(std::uint64_t index) const;

    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 2> stream_;
};

} // namespace weft
