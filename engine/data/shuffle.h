// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order of examples in an epoch, as a computed permutation. Any position of any epoch can be
// computed at once, so that resuming needs no state.

#include "base/philox.h"

#include <array>
#include <cstdint>

namespace weft {

/// A permutation of [0, size) keyed by a draw: a Feistel network over the next power of two with
/// cycle walking (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
class Permutation {
public:
    Permutation(std::int64_t size, const Draw& draw);

    [[nodiscard]] std::int64_t operator()(std::int64_t position) const;

private:
    [[nodiscard]] std::uint64_t permuteOnce(std::uint64_t value) const; ///< one Feistel pass

    std::uint64_t size_;
    unsigned upperBits_;                 ///< width of the upper half of a value
    unsigned lowerBits_;                 ///< width of the lower half
    std::array<std::uint64_t, 12> keys_; ///< one per round of the Feistel network
};

/// Returns the order of one epoch of a run.
[[nodiscard]] Permutation shuffled(std::int64_t size, std::uint64_t seed, std::int64_t epoch);

} // namespace weft
