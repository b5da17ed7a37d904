// SPDX-License-Identifier: Apache-2.0
#include "device/box_copy.h"

#include <weft/error.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace weft {

namespace {

using Loop = BoxCopy::Loop;

/// Drops dims of one element and joins neighbours that are contiguous on both sides.
std::vector<Loop> joinedLoops(const Shape& size, const Shape& from, const Shape& to) {
    std::vector<Loop> loops;
    for (std::size_t k = 0; k < size.size(); ++k) {
        if (size[k] == 1) {
            continue;
        }
        const Loop next{size[k], from[k], to[k]};
        if (!loops.empty() && loops.back().from == next.size * next.from &&
            loops.back().to == next.size * next.to) {
            loops.back() = {loops.back().size * next.size, next.from, next.to};
        } else {
            loops.push_back(next);
        }
    }
    return loops;
}

/// Removes and returns the loop with the smallest stride on one side.
Loop takeInnermost(std::vector<Loop>& loops, std::int64_t Loop::*step) {
    if (loops.empty()) {
        return {};
    }
    const auto found = std::ranges::min_element(loops, {}, step);
    const Loop loop = *found;
    loops.erase(found);
    return loop;
}

} // namespace

BoxCopy boxCopy(const Shape& size, const Shape& from, const Shape& to) {
    std::vector<Loop> loops = joinedLoops(size, from, to);
    BoxCopy copy;
    copy.along = takeInnermost(loops, &Loop::to);
    copy.across = takeInnermost(loops, &Loop::from);
    if (copy.along.size == 1) {
        copy.along = {1, 1, 1};
    }
    ensure(loops.size() <= BoxCopy::mostLoops, "a copied box has at most eight dims");
    copy.outerCount = loops.size();
    std::ranges::copy(loops, copy.outer.begin());
    return copy;
}

void copyBox(const BoxCopy& copy, std::size_t elementSize, const void* from, void* to) {
    const auto size = static_cast<std::int64_t>(elementSize);
    for (std::int64_t n = 0; n < copy.outerSize(); ++n) {
        const auto [source, target] = offsetsOf(copy, n);
        for (std::int64_t a = 0; a < copy.across.size; ++a) {
            for (std::int64_t b = 0; b < copy.along.size; ++b) {
                std::memcpy(static_cast<std::byte*>(to) +
                                (target + a * copy.across.to + b * copy.along.to) * size,
                            static_cast<const std::byte*>(from) +
                                (source + a * copy.across.from + b * copy.along.from) * size,
                            elementSize);
            }
        }
    }
}

} // namespace weft
