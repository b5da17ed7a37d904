// SPDX-License-Identifier: Apache-2.0
#pragma once
// An elementwise op of two broadcast operands as nested loops, with the steps in each operand. Also
// included by CUDA sources.

#include <weft/types.h>

#include <array>
#include <cstddef>
#include <optional>

namespace weft {

/// Loops with the innermost first. Neighbouring dims that all operands pass through alike are
/// joined, and dims of size 1 are left out.
struct BroadcastLoops {
    static constexpr std::size_t most = 6;
    struct Loop {
        std::int64_t size = 1;
        std::int64_t a = 0, b = 0; ///< step in each operand, in elements; 0: repeated
    };
    std::array<Loop, most> loops = {};
    std::size_t count = 0;

    struct Offsets {
        std::int64_t a = 0, b = 0;
    };
    /// Returns the offsets in the operands for iteration n of the loops from `first` on.
    [[nodiscard]] constexpr Offsets offsetsOf(std::int64_t n, std::size_t first) const {
        Offsets offsets;
        for (std::size_t k = first; k < count; ++k) {
            const std::int64_t index = n % loops[k].size;
            n /= loops[k].size;
            offsets.a += index * loops[k].a;
            offsets.b += index * loops[k].b;
        }
        return offsets;
    }
};

/// Returns the loops for row-major values; nothing if there are more than `most`.
[[nodiscard]] std::optional<BroadcastLoops> broadcastLoops(const Shape& y, const Shape& a,
                                                           const Shape& b);

} // namespace weft
