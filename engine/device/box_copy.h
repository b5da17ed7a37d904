// SPDX-License-Identifier: Apache-2.0
#pragma once
// A box of elements from one arrangement into another, as loops. Sources for a GPU read it too.

#include <weft/types.h>

#include <array>
#include <cstddef>
#include <utility>

namespace weft {

/// Loops of a copy, neighbouring dims that are one on both sides joined. The last two run
/// innermost: `along` where the result is dense, `across` where the source is (sizes of 1 where
/// they are one).
struct BoxCopy {
    struct Loop {
        std::int64_t size = 1, from = 0, to = 0; ///< steps in elements
    };
    static constexpr std::size_t mostLoops = 6;
    std::array<Loop, mostLoops> outer = {};
    std::size_t outers = 0;
    Loop across, along;

    [[nodiscard]] constexpr std::int64_t outerSize() const {
        std::int64_t size = 1;
        for (std::size_t k = 0; k < outers; ++k) {
            size *= outer[k].size;
        }
        return size;
    }
};

/// Strides per dim, in elements. Boxes of up to eight dims of more than one element.
[[nodiscard]] BoxCopy boxCopy(const Shape& size, const Shape& from, const Shape& to);

/// By the host, whatever the elements are; addresses are those of the box's first.
void copyBox(const BoxCopy& copy, std::size_t elementSize, const void* from, void* to);

/// Places in source and result of outer element `n`.
[[nodiscard]] constexpr std::pair<std::int64_t, std::int64_t> placesOf(const BoxCopy& copy,
                                                                       std::int64_t n) {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t k = copy.outers; k-- > 0;) {
        const std::int64_t index = n % copy.outer[k].size;
        n /= copy.outer[k].size;
        from += index * copy.outer[k].from;
        to += index * copy.outer[k].to;
    }
    return {from, to};
}

} // namespace weft
