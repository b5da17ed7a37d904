// SPDX-License-Identifier: Apache-2.0
#include "device/format.h"

#include <weft/error.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>

namespace weft {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
int dimOf(char c) { return isUpper(c) ? c - 'A' : c - 'a'; }

/// Returns the tag without the bf16 mark.
std::string_view orderOf(const Format& format) {
    std::string_view tag = format.tag;
    tag.remove_suffix(format.isHalved() ? 1 : 0);
    return tag;
}

/// Returns the product of the blocks of each dim.
std::vector<std::int64_t> blockSizes(const FormatLayout& layout) {
    std::vector<std::int64_t> sizes(layout.order.size(), 1);
    for (const auto& [dim, size] : layout.blocks) {
        sizes[static_cast<std::size_t>(dim)] *= size;
    }
    return sizes;
}

/// Computes the offset of each element of a value with this shape and memory format.
class Places {
public:
    Places(const Format& format, const Shape& shape)
        : layout_(layoutOf(format, shape.size())), outer_(shape.size()), inner_(shape.size(), 1) {
        const auto sizes = blockSizes(layout_);
        std::int64_t step = 1;
        blocks_.resize(layout_.blocks.size());
        for (std::size_t k = layout_.blocks.size(); k-- > 0;) {
            const auto& [dim, size] = layout_.blocks[k];
            auto& within = inner_[static_cast<std::size_t>(dim)];
            blocks_[k] = {static_cast<std::size_t>(dim), within, size, step};
            within *= size;
            step *= size;
        }
        for (std::size_t k = shape.size(); k-- > 0;) {
            const auto dim = static_cast<std::size_t>(layout_.order[k]);
            outer_[dim] = step;
            step *= (shape[dim] + sizes[dim] - 1) / sizes[dim];
        }
    }

    [[nodiscard]] std::int64_t of(const Shape& index) const {
        std::int64_t place = 0;
        for (std::size_t dim = 0; dim < index.size(); ++dim) {
            place += index[dim] / inner_[dim] * outer_[dim];
        }
        for (const Inner& block : blocks_) {
            place += index[block.dim] / block.within % block.size * block.step;
        }
        return place;
    }

private:
    /// An inner block. Of several blocks of one dim, the innermost holds the lowest digits, below
    /// `within`.
    struct Inner {
        std::size_t dim = 0;
        std::int64_t within = 1, size = 1, step = 1;
    };
    FormatLayout layout_;
    Shape outer_;
    Shape inner_; ///< product of each dim's blocks
    std::vector<Inner> blocks_;
};

template <class Copy>
void forEachPlace(const Format& format, const Shape& shape, const Copy& copy) {
    const Places places(format, shape);
    Shape index(shape.size(), 0);
    for (std::int64_t n = 0; n < elementsOf(shape); ++n) {
        copy(static_cast<std::size_t>(n), static_cast<std::size_t>(places.of(index)));
        for (std::size_t dim = shape.size(); dim-- > 0;) {
            if (++index[dim] < shape[dim]) {
                break;
            }
            index[dim] = 0;
        }
    }
}

} // namespace

FormatLayout layoutOf(const Format& format, std::size_t rank) {
    FormatLayout layout;
    if (format.isPlain()) {
        layout.order.resize(rank);
        std::iota(layout.order.begin(), layout.order.end(), 0);
        return layout;
    }
    const std::string_view tag = orderOf(format);
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

Format halved(const Format& format, std::size_t rank) {
    ensure(isOrder(format) && !format.isHalved(), "a bf16 format orders the dims without blocks");
    Format half = format;
    for (std::size_t dim = 0; dim < rank && format.isPlain(); ++dim) {
        half.tag += static_cast<char>('a' + dim);
    }
    half.tag += '~';
    return half;
}

Format widened(const Format& format) {
    if (!format.isHalved()) {
        return format;
    }
    const std::string_view order = orderOf(format);
    return std::ranges::is_sorted(order) ? Format{} : Format{std::string(order)};
}

std::uint16_t halfOf(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    constexpr std::uint32_t quiet = 0x40;
    if (std::isnan(number)) {
        return static_cast<std::uint16_t>((bits >> 16U) | quiet);
    }
    const std::uint32_t toEven = (bits >> 16U) & 1U;
    return static_cast<std::uint16_t>((bits + 0x7FFFU + toEven) >> 16U);
}

float numberOf(std::uint16_t half) { return std::bit_cast<float>(std::uint32_t{half} << 16U); }

Bytes bytesIn(const Format& format, DType dtype, const Shape& shape) {
    const auto size =
        static_cast<std::int64_t>(format.isHalved() ? sizeof(std::uint16_t) : byteSize(dtype));
    return {elementsIn(format, shape) * size};
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
    ensure(isOrder(format), "only a format without blocks has a stride per dim");
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

void intoFormat(const Format& format, const Shape& shape, std::size_t elementSize,
                const void* plain, void* formatted) {
    const auto* from = static_cast<const std::byte*>(plain);
    auto* to = static_cast<std::byte*>(formatted);
    const auto held = static_cast<std::size_t>(elementsIn(format, shape)) * elementSize;
    if (format.isPlain()) {
        std::memcpy(to, from, held);
        return;
    }
    if (format.isHalved()) {
        const auto* numbers = static_cast<const float*>(plain);
        auto* inBf16 = static_cast<std::uint16_t*>(formatted);
        forEachPlace(format, shape,
                     [&](std::size_t n, std::size_t place) { inBf16[place] = halfOf(numbers[n]); });
        return;
    }
    std::memset(to, 0, held);
    forEachPlace(format, shape, [&](std::size_t n, std::size_t place) {
        std::memcpy(to + place * elementSize, from + n * elementSize, elementSize);
    });
}

void outOfFormat(const Format& format, const Shape& shape, std::size_t elementSize,
                 const void* formatted, void* plain) {
    const auto* from = static_cast<const std::byte*>(formatted);
    auto* to = static_cast<std::byte*>(plain);
    if (format.isPlain()) {
        std::memcpy(to, from, static_cast<std::size_t>(elementsOf(shape)) * elementSize);
        return;
    }
    if (format.isHalved()) {
        const auto* inBf16 = static_cast<const std::uint16_t*>(formatted);
        auto* numbers = static_cast<float*>(plain);
        forEachPlace(format, shape, [&](std::size_t n, std::size_t place) {
            numbers[n] = numberOf(inBf16[place]);
        });
        return;
    }
    forEachPlace(format, shape, [&](std::size_t n, std::size_t place) {
        std::memcpy(to + n * elementSize, from + place * elementSize, elementSize);
    });
}

} // namespace weft
