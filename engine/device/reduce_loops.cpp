// SPDX-License-Identifier: Apache-2.0
#include "device/reduce_loops.h"

#include "graph/reduced_dims.h"

namespace weft {

std::optional<ReduceLoops> reduceLoops(const Shape& x, const Attributes& attributes) {
    const std::vector<bool> isReduced = reducedDims(attributes, x.size());
    ReduceLoops made;
    std::int64_t stride = 1;
    const StridedLoops* last = nullptr;
    for (std::size_t dim = x.size(); dim-- > 0;) {
        StridedLoops& loops = isReduced[dim] ? made.reduced : made.kept;
        if (x[dim] != 1) {
            if (last == &loops) {
                loops.loops[loops.count - 1].size *= x[dim];
            } else if (loops.count == StridedLoops::most) {
                return std::nullopt;
            } else {
                loops.loops[loops.count++] = {x[dim], stride};
            }
            loops.iterations *= x[dim];
            last = &loops;
        }
        stride *= x[dim];
    }
    return made;
}

} // namespace weft
