// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/strided.h"

#include "exchange/onnx/node_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::onnx {

namespace {

/// Largest number of elements of an array.
constexpr std::int64_t mostElements = std::int64_t{1} << 27U;

} // namespace

std::int64_t elementCount(const Shape& shape) {
    std::int64_t count = 1; // ignores dims of size 0, so that strides cannot overflow either
    for (const std::int64_t dim : shape) {
        if (dim < 0 || (dim > 0 && count > mostElements / dim)) {
            throw Refusal(fmt::format("its constant result has the shape {}, which is too large",
                                      toString(shape)));
        }
        count *= std::max<std::int64_t>(dim, 1);
    }
    return std::ranges::find(shape, 0) == shape.end() ? count : 0;
}

Tensor zeros(Element element, Shape shape) {
    Tensor made{.element = element, .shape = std::move(shape)};
    const auto count = static_cast<std::size_t>(elementCount(made.shape));
    made.isReal() ? made.reals.resize(count) : made.wholes.resize(count);
    return made;
}

Shape stridesOf(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t k = shape.size(); k-- > 1;) {
        strides[k - 1] = strides[k] * shape[k];
    }
    return strides;
}

void requireFewRepeats(const Shape& shape, std::size_t elements) {
    const std::int64_t count = elementCount(shape);
    if (count > mostRepeated && count / 4 > static_cast<std::int64_t>(elements)) {
        throw Refusal(
            fmt::format("repeats a constant to the shape {}, which is too large", toString(shape)));
    }
}

Tensor gatherStrided(const Tensor& from, Shape shape, const Shape& strides, std::int64_t first) {
    Tensor made = zeros(from.element, std::move(shape));
    walk(made.shape, strides, first, [&](std::size_t to, std::size_t at) {
        from.isReal() ? void(made.reals[to] = from.reals[at])
                      : void(made.wholes[to] = from.wholes[at]);
    });
    return made;
}

Shape broadcastShape(const Shape& a, const Shape& b) {
    Shape made(std::max(a.size(), b.size()), 1);
    for (std::size_t k = 0; k < made.size(); ++k) {
        const std::int64_t x = k < a.size() ? a[a.size() - 1 - k] : 1;
        const std::int64_t y = k < b.size() ? b[b.size() - 1 - k] : 1;
        if (x != y && x != 1 && y != 1) {
            throw Refusal(
                fmt::format("its operands {} and {} do not fit", toString(a), toString(b)));
        }
        made[made.size() - 1 - k] = x == 1 ? y : x;
    }
    return made;
}

Tensor broadcast(const Tensor& from, const Shape& shape) {
    if (from.shape == shape) {
        return from;
    }
    requireFewRepeats(shape, from.size());
    const Shape own = stridesOf(from.shape);
    Shape strides(shape.size(), 0);
    for (std::size_t k = 0; k < own.size(); ++k) {
        strides[strides.size() - 1 - k] =
            from.shape[own.size() - 1 - k] == 1 ? 0 : own[own.size() - 1 - k];
    }
    return gatherStrided(from, shape, strides, 0);
}

void refuseOverflow() { throw Refusal("its whole numbers overflow, or are divided by 0"); }

std::int64_t checkedSum(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    return __builtin_add_overflow(a, b, &c) ? (refuseOverflow(), 0) : c;
}

std::int64_t checkedProduct(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    return __builtin_mul_overflow(a, b, &c) ? (refuseOverflow(), 0) : c;
}

} // namespace weft::onnx
