// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/drawn.h"

#include "base/hash.h"
#include "base/philox.h"
#include <weft/error.h>

namespace weft::cuda {

DrawKey drawKeyOf(std::uint64_t seed) {
    const Draw draw{.seed = seed};
    const std::uint64_t instance = draw.origin.instance;
    return {seed, instance << 32U | draw.origin.layer.value, hash64(draw.role)};
}

PartOfWhole partOfWhole(const TensorPart& part) {
    PartOfWhole result;
    std::int64_t distance = 1;
    for (std::size_t dim = part.shape.size(); dim-- > 0;) {
        const std::size_t last = result.dims - 1;
        if (result.dims > 0 && result.size[last] * result.step[last] == distance) {
            result.size[last] *= part.shape[dim];
        } else {
            ensure(result.dims < PartOfWhole::most, "what is drawn for has at most eight dims");
            result.size[result.dims] = part.shape[dim];
            result.step[result.dims] = distance;
            ++result.dims;
        }
        result.offset += part.begin[dim] * distance;
        distance *= part.whole[dim];
    }
    return result;
}

} // namespace weft::cuda
