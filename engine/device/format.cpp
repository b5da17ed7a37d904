// SPDX-License-Identifier: Apache-2.0
#include "device/format.h"

#include <weft/error.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weft {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
int dimOf(char c) { return isUpper(c) ? c - 'A' : c - 'a'; }

/// Product of the blocks of each dim.
std::vector<std::int64_t> blockSizes(const FormatLayout& layout) {
    std::vector<std::int64_t> sizes(layout.order.size(), 1);
    for (const auto& [dim, size] : layout.blocks) {
        sizes[static_cast<std::size_t>(dim)] *= size;
    }
    return sizes;
}

} // namespace

FormatLayout layoutOf(const Format& format, std::size_t rank) {
    FormatLayout layout;
    if (format.isPlain()) {
        layout.order.resize(rank);
        std::iota(layout.order.begin(), layout.order.end(), 0);
        return layout;
    }
    const std::string& tag = format.tag;
    std::vector<bool> blocked(rank, false);
    std::size_t k = 0;
    for (; k < tag.size() && !isDigit(tag[k]); ++k) {
        const int dim = dimOf(tag[k]);
        ensure(dim >= 0 && static_cast<std::size_t>(dim) < rank &&
                   std::ranges::find(layout.order, dim) == layout.order.end(),
               "a format's tag names each dim once");
        blocked[static_cast<std::size_t>(dim)] = isUpper(tag[k]);
        layout.order.push_back(dim);
    }
    ensure(layout.order.size() == rank, "a format's tag names every dim");
    while (k < tag.size()) {
        std::int64_t size = 0;
        for (; k < tag.size() && isDigit(tag[k]); ++k) {
            size = 10 * size + (tag[k] - '0');
        }
        ensure(k < tag.size() && size > 0, "a block of a format has a size and a dim");
        const int dim = dimOf(tag[k++]);
        ensure(dim >= 0 && static_cast<std::size_t>(dim) < rank &&
                   blocked[static_cast<std::size_t>(dim)],
               "a format blocks only dims in capitals");
        layout.blocks.emplace_back(dim, size);
    }
    const auto sizes = blockSizes(layout);
    for (std::size_t dim = 0; dim < rank; ++dim) {
        ensure(blocked[dim] == (sizes[dim] > 1), "a dim in capitals has a block");
    }
    return layout;
}

std::int64_t elementsIn(const Format& format, const Shape& shape) {
    const auto blocks = blockSizes(layoutOf(format, shape.size()));
    std::int64_t elements = 1;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        elements *= (shape[dim] + blocks[dim] - 1) / blocks[dim] * blocks[dim];
    }
    return elements;
}

bool isOrder(const Format& format) { return std::ranges::none_of(format.tag, isDigit); }

std::vector<std::int64_t> stridesOf(const Format& format, const Shape& shape) {
    ensure(isOrder(format), "only a mere order of the dims has a stride per dim");
    const FormatLayout layout = layoutOf(format, shape.size());
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t k = shape.size(); k-- > 0;) {
        const auto dim = static_cast<std::size_t>(layout.order[k]);
        strides[dim] = step;
        step *= shape[dim];
    }
    return strides;
}

} // namespace weft
