// SPDX-License-Identifier: Apache-2.0
#include "layers/moves/moves.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::layers {

std::optional<Dims> dimsAfterBatch(Lowering& lowering, const Dims& dims, std::size_t rank,
                                   const std::string& what) {
    Dims found;
    for (const std::int64_t given : dims) {
        const std::int64_t dim = given < 0 ? given + static_cast<std::int64_t>(rank) : given;
        if (dim == 0) {
            lowering.refuse("dim 0 is the batch, which stays as it is; choose other dims", "x");
            return std::nullopt;
        }
        if (dim < 0 || dim >= static_cast<std::int64_t>(rank) ||
            std::ranges::find(found, dim) != found.end()) {
            lowering.refuse(
                fmt::format("{}, which does not have dims {}, each once", what, toString(dims)),
                "x");
            return std::nullopt;
        }
        found.push_back(dim);
    }
    return found;
}

ValueId reshaped(Lowering& lowering, ValueId x, const Dims& rest) {
    if (restOf(lowering, x) == rest) {
        return x;
    }
    const ValueId flat =
        lowering.shape(x).size() == 2 ? x : lowering.add("flatten", {x}, Attributes{});
    return rest.size() == 1 ? flat : lowering.add("unflatten", {flat}, {{"shape", rest}});
}

ValueId transposed(Lowering& lowering, ValueId x, const Dims& order) {
    return std::ranges::is_sorted(order) ? x : lowering.add("transpose", {x}, {{"order", order}});
}

ValueId sliced(Lowering& lowering, ValueId x, std::int64_t dim, std::int64_t begin,
               std::int64_t end, std::int64_t step) {
    if (begin == 0 && end == lowering.shape(x)[static_cast<std::size_t>(dim)] && step == 1) {
        return x;
    }
    return lowering.add("slice", {x},
                        {{"dim", dim}, {"begin", begin}, {"end", end}, {"step", step}});
}

ValueId repeated(Lowering& lowering, ValueId x, const Dims& rest) {
    const Dims from = restOf(lowering, x);
    Dims dims;
    Dims sizes;
    for (std::size_t k = 0; k < rest.size(); ++k) {
        if (from[k] != rest[k]) {
            dims.push_back(static_cast<std::int64_t>(k) + 1);
            sizes.push_back(rest[k]);
        }
    }
    return dims.empty() ? x
                        : lowering.add("reduce_sum_gradient", {x},
                                       {{"dims", dims}, {"keepdims", true}, {"sizes", sizes}});
}

Dims restOf(const Lowering& lowering, ValueId x) {
    const Shape& shape = lowering.shape(x);
    return shape.empty() ? Dims{} : Dims(shape.begin() + 1, shape.end());
}

} // namespace weft::layers
