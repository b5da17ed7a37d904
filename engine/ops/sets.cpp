// SPDX-License-Identifier: Apache-2.0
#include "ops/sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::ops {

namespace {

template <class List>
List leadOf(const Sets& sets, const List& dims, std::size_t features) {
    List lead;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        if (k != features && (k == 0 ? sets.perElement : sets.perPosition)) {
            lead.push_back(dims[k]);
        }
    }
    return lead;
}

} // namespace

Shape Sets::lead(const Shape& map, std::size_t dim) const { return leadOf(*this, map, dim); }

std::vector<std::string> Sets::lead(const std::vector<std::string>& letters,
                                    std::size_t dim) const {
    return leadOf(*this, letters, dim);
}

AttributeSpec perElementAttribute() {
    return {.name = "per_element",
            .defaultValue = false,
            .help = "One set of weights per batch element."};
}

AttributeSpec perPositionAttribute() {
    return {
        .name = "per_position", .defaultValue = false, .help = "One set of weights per position."};
}

AttributeSpec setDimsAttribute() {
    return {.name = "set_dims",
            .defaultValue = std::int64_t{0},
            .help = "Number of leading dims of the weights that index sets of weights.",
            .least = 0};
}

Shape joinedDims(Shape lead, const Shape& own) {
    lead.insert(lead.end(), own.begin(), own.end());
    return lead;
}

Shape lastDims(const Shape& shape, std::size_t count) {
    return {shape.end() - static_cast<std::ptrdiff_t>(std::min(count, shape.size())), shape.end()};
}

bool hasLead(ShapeInference& inference, std::size_t input, const Shape& lead, std::size_t ownDims) {
    const Shape& shape = inference.shape(input);
    if (shape.size() == lead.size() + ownDims &&
        std::equal(lead.begin(), lead.end(), shape.begin())) {
        return true;
    }
    inference.refuse(
        fmt::format("weights are {}; expected sets of {} dims, one for each index of {}",
                    toString(shape), ownDims, toString(lead)),
        input);
    return false;
}

Attributes withSets(Attributes attributes, bool perElement, bool perPosition) {
    attributes.set("per_element", perElement);
    attributes.set("per_position", perPosition);
    return attributes;
}

} // namespace weft::ops
