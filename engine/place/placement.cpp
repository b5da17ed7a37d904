// SPDX-License-Identifier: Apache-2.0
#include "place/placement.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::int64_t Mesh::coordinate(std::size_t member, std::size_t axis) const {
    auto rest = static_cast<std::int64_t>(member);
    for (std::size_t later = shape.size(); later-- > axis + 1;) {
        rest /= shape[later];
    }
    return rest % shape[axis];
}

std::string toString(const Placements& placements) {
    std::string text;
    for (const Placement& placement : placements) {
        text += text.empty() ? "" : " ";
        switch (placement.kind) {
        case Placement::Kind::replicated: text += "R"; break;
        case Placement::Kind::partialSum: text += "P"; break;
        case Placement::Kind::partialMax: text += "Pmax"; break;
        case Placement::Kind::split:
            text += placement.grain == 1 ? fmt::format("S({})", placement.dim)
                                         : fmt::format("S({}/{})", placement.dim, placement.grain);
            break;
        }
    }
    return text;
}

std::vector<std::int64_t> balancedCuts(std::int64_t begin, std::int64_t end, std::int64_t parts,
                                       std::int64_t grain) {
    ensure(parts > 0 && grain > 0 && end >= begin, "a dim is split into at least one part");
    const std::int64_t units = (end - begin + grain - 1) / grain;
    std::vector<std::int64_t> cuts{begin};
    cuts.reserve(static_cast<std::size_t>(parts) + 1);
    std::int64_t unit = 0;
    for (std::int64_t part = 0; part < parts; ++part) {
        unit += units / parts + (part < units % parts ? 1 : 0);
        cuts.push_back(std::min(end, begin + unit * grain));
    }
    return cuts;
}

Shape Box::shape() const {
    Shape sizes(begin.size());
    for (std::size_t dim = 0; dim < begin.size(); ++dim) {
        sizes[dim] = end[dim] - begin[dim];
    }
    return sizes;
}

std::int64_t Box::elements() const {
    std::int64_t count = 1;
    for (std::size_t dim = 0; dim < begin.size(); ++dim) {
        count *= end[dim] - begin[dim];
    }
    return count;
}

Box wholeBox(const Shape& shape) { return {Shape(shape.size(), 0), shape}; }

Box intersection(const Box& a, const Box& b) {
    Box both = a;
    for (std::size_t dim = 0; dim < a.begin.size(); ++dim) {
        both.begin[dim] = std::max(a.begin[dim], b.begin[dim]);
        both.end[dim] = std::max(both.begin[dim], std::min(a.end[dim], b.end[dim]));
    }
    return both;
}

Box boxOf(const Shape& shape, const Mesh& mesh, const Placements& placements, std::size_t member) {
    Box box = wholeBox(shape);
    for (std::size_t axis = 0; axis < placements.size(); ++axis) {
        const Placement& placement = placements[axis];
        if (!placement.isSplit()) {
            continue;
        }
        std::int64_t row = 0;
        for (std::size_t outer = 0; outer < axis; ++outer) {
            if (placements[outer].isSplit() && placements[outer].dim == placement.dim) {
                row = row * mesh.shape[outer] + mesh.coordinate(member, outer);
            }
        }
        const std::int64_t at = row * (mesh.shape[axis] + 1) + mesh.coordinate(member, axis);
        const auto dim = static_cast<std::size_t>(placement.dim);
        box.begin[dim] = placement.cuts[static_cast<std::size_t>(at)];
        box.end[dim] = placement.cuts[static_cast<std::size_t>(at) + 1];
    }
    return box;
}

} // namespace weft
