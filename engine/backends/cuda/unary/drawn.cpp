// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/unary/drawn.h"

#include "base/hash.h"
#include "base/philox.h"
#include <weft/error.h>

#include <ranges>

namespace weft::cuda {

DrawKey drawKeyOf(std::uint64_t seed) {
    const Draw draw{.seed = seed};
    const std::uint64_t instance = draw.origin.instance;
    return {seed, instance << 32U | draw.origin.layer.value, hash64(draw.role)};
}

PartOfWhole partOfWhole(const TensorPart& part, const Format& format) {
    PartOfWhole result;
    const std::vector<std::int64_t> steps = stridesOf({}, part.whole);
    const std::vector<int> order = layoutOf(format, part.shape.size()).order;
    for (const int each : std::views::reverse(order)) {
        const auto dim = static_cast<std::size_t>(each);
        const std::size_t last = result.dims - 1;
        if (result.dims > 0 && result.size[last] * result.step[last] == steps[dim]) {
            result.size[last] *= part.shape[dim];
        } else {
            ensure(result.dims < PartOfWhole::most,
                   "a tensor of random numbers has at most eight dims");
            result.size[result.dims] = part.shape[dim];
            result.step[result.dims] = steps[dim];
            ++result.dims;
        }
        result.offset += part.begin[dim] * steps[dim];
    }
    return result;
}

} // namespace weft::cuda
