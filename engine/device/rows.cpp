// SPDX-License-Identifier: Apache-2.0
#include "device/rows.h"

namespace weft {

Along alongDim(const Shape& shape, const Format& format, std::int64_t dim) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto wanted = static_cast<int>(dim < 0 ? dim + rank : dim);
    const FormatLayout layout = layoutOf(format, shape.size());
    Along along;
    bool isBefore = true;
    for (const int each : layout.order) {
        const std::int64_t size = shape[static_cast<std::size_t>(each)];
        if (each == wanted) {
            along.n = size;
            isBefore = false;
        } else {
            (isBefore ? along.outer : along.inner) *= size;
        }
    }
    return along;
}

std::int64_t rowsOf(const Shape& shape) {
    std::int64_t rows = 1;
    for (std::size_t dim = 0; dim + 1 < shape.size(); ++dim) {
        rows *= shape[dim];
    }
    return rows;
}

} // namespace weft
