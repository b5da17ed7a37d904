// SPDX-License-Identifier: Apache-2.0
#include "graph/reduced_dims.h"

namespace weft {

std::vector<bool> reducedDims(const Attributes& attributes, std::size_t rank) {
    std::vector<bool> isReduced(rank, false);
    for (const std::int64_t given : attributes.integers("dims")) {
        const auto dim = given < 0 ? given + static_cast<std::int64_t>(rank) : given;
        if (dim < 0 || dim >= static_cast<std::int64_t>(rank) ||
            isReduced[static_cast<std::size_t>(dim)]) {
            return {};
        }
        isReduced[static_cast<std::size_t>(dim)] = true;
    }
    return isReduced;
}

Shape reducedShape(const Shape& shape, const std::vector<bool>& isReduced, bool keepdims) {
    Shape reduced;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        if (!isReduced[dim]) {
            reduced.push_back(shape[dim]);
        } else if (keepdims) {
            reduced.push_back(1);
        }
    }
    return reduced;
}

} // namespace weft
