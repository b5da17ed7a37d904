// SPDX-License-Identifier: Apache-2.0
#include "graph/broadcast.h"

#include <algorithm>

namespace weft {

Shape alignedShape(const Shape& shape, std::size_t rank) {
    Shape aligned = shape;
    if (!shape.empty() && shape.size() < rank) {
        aligned.insert(aligned.begin() + 1, rank - shape.size(), 1);
    }
    return aligned;
}

std::optional<Shape> broadcastShape(const Shape& a, const Shape& b) {
    if (a == b) {
        return a;
    }
    if (a.empty() || b.empty() || a[0] != b[0]) {
        return std::nullopt;
    }
    const std::size_t rank = std::max(a.size(), b.size());
    const Shape first = alignedShape(a, rank);
    const Shape second = alignedShape(b, rank);
    Shape shape = first;
    for (std::size_t dim = 1; dim < rank; ++dim) {
        if (first[dim] != second[dim] && first[dim] != 1 && second[dim] != 1) {
            return std::nullopt;
        }
        shape[dim] = std::max(first[dim], second[dim]);
    }
    return shape;
}

} // namespace weft
