// SPDX-License-Identifier: Apache-2.0
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

int dimOf(const Attributes& attributes, std::size_t rank, std::string_view name) {
    const std::int64_t dim = attributes.integer(name);
    const auto dims = static_cast<std::int64_t>(rank);
    if (dim < -dims || dim >= dims) {
        return -1;
    }
    return static_cast<int>(dim < 0 ? dim + dims : dim);
}

int dimOrRefusal(ShapeInference& inference, std::size_t input, std::string_view name) {
    const int dim = dimOf(inference.attributes(), inference.shape(input).size(), name);
    if (dim < 0) {
        inference.refuse(fmt::format("input is {}, which has no dim {}",
                                     toString(inference.shape(input)),
                                     inference.attributes().integer(name)),
                         input);
    }
    return dim;
}

bool haveOneShape(ShapeInference& inference, std::size_t a, std::size_t b) {
    if (inference.shape(a) == inference.shape(b)) {
        return true;
    }
    inference.refuse(fmt::format("inputs are {} and {}; expected equal shapes",
                                 toString(inference.shape(a)), toString(inference.shape(b))),
                     b);
    return false;
}

bool hasShape(ShapeInference& inference, std::size_t input, const Shape& expected,
              std::string_view name) {
    if (inference.shape(input) == expected) {
        return true;
    }
    inference.refuse(fmt::format("{} is {}; expected {}", name, toString(inference.shape(input)),
                                 toString(expected)),
                     input);
    return false;
}

std::string lettersWith(std::size_t rank, int dim, std::string_view letter) {
    std::string text;
    for (std::size_t k = 0; k < rank; ++k) {
        text += k == 0 ? "" : " ";
        const std::size_t fromEnd = rank - 1 - k;
        if (static_cast<int>(k) == dim) {
            text += letter;
        } else if (k == 0) {
            text += 'b';
        } else if (dim == 1 && fromEnd < 3) {
            text += fromEnd == 0 ? 'x' : fromEnd == 1 ? 'y' : 'z';
        } else if (k == 1) {
            text += 't';
        } else {
            text += fmt::format("e{}", k);
        }
    }
    return text;
}

} // namespace weft::ops
