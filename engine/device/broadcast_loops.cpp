// SPDX-License-Identifier: Apache-2.0
#include "device/broadcast_loops.h"

#include "graph/broadcast.h"

namespace weft {

std::optional<BroadcastLoops> broadcastLoops(const Shape& y, const Shape& a, const Shape& b) {
    const std::array<Shape, 2> operands{alignedShape(a, y.size()), alignedShape(b, y.size())};
    std::array<std::int64_t, 2> strides{1, 1};
    BroadcastLoops made;
    for (std::size_t dim = y.size(); dim-- > 0;) {
        std::array<std::int64_t, 2> steps{};
        for (const std::size_t k : {0U, 1U}) {
            steps[k] = operands[k][dim] == 1 ? 0 : strides[k];
            strides[k] *= operands[k][dim];
        }
        if (y[dim] == 1) {
            continue;
        }
        if (made.count > 0) {
            BroadcastLoops::Loop& inner = made.loops[made.count - 1];
            if (steps[0] == inner.a * inner.size && steps[1] == inner.b * inner.size) {
                inner.size *= y[dim];
                continue;
            }
        }
        if (made.count == BroadcastLoops::most) {
            return std::nullopt;
        }
        made.loops[made.count++] = {y[dim], steps[0], steps[1]};
    }
    return made;
}

} // namespace weft
