// SPDX-License-Identifier: Apache-2.0
#pragma once
// A reduction of a row-major value over some of its dims as nested loops. Also included by CUDA
// sources.

#include <weft/types.h>

#include <array>
#include <cstddef>
#include <optional>

namespace weft {

class Attributes;

/// Loops over dims, innermost first. Neighbouring dims are joined, and dims of size 1 are left out.
struct StridedLoops {
    static constexpr std::size_t most = 4;
    struct Loop {
        std::int64_t size = 1, step = 0; ///< the step in elements of x
    };
    std::array<Loop, most> loops = {};
    std::size_t count = 0;
    std::int64_t iterations = 1; ///< product of the sizes

    /// Returns the offset in x for iteration n of the loops from `first` on.
    [[nodiscard]] constexpr std::int64_t offsetOf(std::int64_t n, std::size_t first = 0) const {
        std::int64_t offset = 0;
        for (std::size_t k = first; k < count; ++k) {
            offset += n % loops[k].size * loops[k].step;
            n /= loops[k].size;
        }
        return offset;
    }
};

struct ReduceLoops {
    StridedLoops kept; ///< an iteration for each element of the result, in its order
    StridedLoops
        reduced; ///< an iteration for each element of x that one element of the result reads

    /// True if the elements that one result reads include neighbours.
    [[nodiscard]] constexpr bool isInnermostReduced() const {
        return kept.count == 0 || (reduced.count > 0 && reduced.loops[0].step == 1);
    }
};

/// Returns the loops for the attribute `dims`; nothing if there are too many.
[[nodiscard]] std::optional<ReduceLoops> reduceLoops(const Shape& x, const Attributes& attributes);

} // namespace weft
