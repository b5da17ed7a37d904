// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies a box of elements between two strided layouts. Also included by CUDA sources.

#include <weft/types.h>

#include <array>
#include <cstddef>
#include <utility>

namespace weft {

/// The loops of a copy; neighbouring dims that are contiguous on both sides are joined. The
/// innermost two loops are `along`, where the result is dense, and `across`, where the source is
/// dense (size 1 if both are the same loop).
struct BoxCopy {
    struct Loop {
        std::int64_t size = 1, from = 0, to = 0; ///< iterations; strides in source and result
    };
    static constexpr std::size_t mostLoops = 6; ///< capacity of `outer`
    static constexpr std::size_t mostDims = mostLoops + 2;
    std::array<Loop, mostLoops> outer = {}; ///< outer loops, outermost first
    std::size_t outerCount = 0;             ///< number of outer loops
    Loop across, along; ///< the inner loops: source contiguous in `across`, result in `along`

    [[nodiscard]] constexpr std::int64_t outerSize() const { ///< iterations of the outer loops
        std::int64_t size = 1;
        for (std::size_t k = 0; k < outerCount; ++k) {
            size *= outer[k].size;
        }
        return size;
    }
};

/// Returns the loops for strides per dim, in elements. At most `mostDims` dims may have more than
/// one element. Strides of the source may be below 0.
[[nodiscard]] BoxCopy boxCopy(const Shape& size, const Shape& from, const Shape& to);

/// Copies on the host, for any element type; the addresses are those of the box's first elements.
void copyBox(const BoxCopy& copy, std::size_t elementSize, const void* from, void* to);

/// Returns the offsets of outer element `n` in source and result.
[[nodiscard]] constexpr std::pair<std::int64_t, std::int64_t> offsetsOf(const BoxCopy& copy,
                                                                        std::int64_t n) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t k = copy.outerCount; k-- > 0;) {
        const std::int64_t index = n % copy.outer[k].size;
        n /= copy.outer[k].size;
        from += index * copy.outer[k].from;
        to += index * copy.outer[k].to;
    }
    return {from, to};
}

} // namespace weft
