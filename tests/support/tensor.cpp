// SPDX-License-Identifier: Apache-2.0
#include "support/tensor.h"

#include "base/philox.h"
#include <weft/error.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace weft::test {

namespace {

template <class T>
double read(const std::byte* from) {
    T number{};
    std::memcpy(&number, from, sizeof number);
    return static_cast<double>(number);
}

template <class T>
void write(std::byte* to, double number) {
    const T rounded = static_cast<T>(number);
    std::memcpy(to, &rounded, sizeof rounded);
}

} // namespace

Tensor::Tensor(DType type, Shape dims)
    : dtype(type),
      shape(std::move(dims)),
      bytes(static_cast<std::size_t>(elementsOf(shape)) * byteSize(type)) {}

Tensor::Tensor(DType type, Shape dims, const std::vector<double>& numbers)
    : Tensor(type, std::move(dims)) {
    ensure(static_cast<std::int64_t>(numbers.size()) == elements(),
           "a tensor has as many numbers as its shape says");
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        set(static_cast<std::int64_t>(k), numbers[k]);
    }
}

double Tensor::at(std::int64_t element) const {
    const std::byte* from = bytes.data() + static_cast<std::size_t>(element) * byteSize(dtype);
    switch (dtype) {
    case DType::f32: return read<float>(from);
    case DType::f64: return read<double>(from);
    case DType::i32: return read<std::int32_t>(from);
    case DType::i64: return read<std::int64_t>(from);
    case DType::u8: return read<std::uint8_t>(from);
    default: break;
    }
    ensure(false, "tests read numbers of the types that Weft computes in");
    return 0;
}

void Tensor::set(std::int64_t element, double number) {
    std::byte* to = bytes.data() + static_cast<std::size_t>(element) * byteSize(dtype);
    switch (dtype) {
    case DType::f32: write<float>(to, number); return;
    case DType::f64: write<double>(to, number); return;
    case DType::i32: write<std::int32_t>(to, number); return;
    case DType::i64: write<std::int64_t>(to, number); return;
    case DType::u8: write<std::uint8_t>(to, number); return;
    default: break;
    }
    ensure(false, "tests write numbers of the types that Weft computes in");
}

std::vector<double> Tensor::numbers() const {
    std::vector<double> list(static_cast<std::size_t>(elements()));
    for (std::size_t k = 0; k < list.size(); ++k) {
        list[k] = at(static_cast<std::int64_t>(k));
    }
    return list;
}

Tensor Tensor::as(DType type) const {
    if (type == dtype) {
        return *this;
    }
    return {type, shape, numbers()};
}

Tensor drawNormal(DType dtype, const Shape& shape, std::uint64_t seed, std::string_view role) {
    const Philox philox(Draw{.seed = seed, .role = role});
    Tensor tensor(dtype, shape);
    for (std::int64_t k = 0; k < tensor.elements(); ++k) {
        tensor.set(k, philox.normal(static_cast<std::uint64_t>(k)));
    }
    return tensor;
}

Tensor drawUniform(DType dtype, const Shape& shape, double low, double high, std::uint64_t seed,
                   std::string_view role) {
    const Philox philox(Draw{.seed = seed, .role = role});
    Tensor tensor(dtype, shape);
    for (std::int64_t k = 0; k < tensor.elements(); ++k) {
        const double share = philox.uniform(static_cast<std::uint64_t>(k));
        tensor.set(k, static_cast<float>(low + (high - low) * share));
    }
    return tensor;
}

Tensor drawIntegers(DType dtype, const Shape& shape, std::int64_t below, std::uint64_t seed,
                    std::string_view role) {
    const Philox philox(Draw{.seed = seed, .role = role});
    Tensor tensor(dtype, shape);
    for (std::int64_t k = 0; k < tensor.elements(); ++k) {
        tensor.set(k, static_cast<double>(philox.below(static_cast<std::uint64_t>(k),
                                                       static_cast<std::uint64_t>(below))));
    }
    return tensor;
}

void eachInPart(const Shape& whole, const Shape& begin, const Shape& part,
                const std::function<void(std::int64_t, std::int64_t)>& visit) {
    const std::int64_t elements = elementsOf(part);
    for (std::int64_t element = 0; element < elements; ++element) {
        std::int64_t rest = element;
        std::int64_t target = 0;
        std::int64_t step = 1;
        for (std::size_t dim = part.size(); dim-- > 0;) {
            target += (begin[dim] + rest % part[dim]) * step;
            rest /= part[dim];
            step *= whole[dim];
        }
        visit(target, element);
    }
}

Tensor sliceOf(const Tensor& whole, const Shape& begin, const Shape& shape) {
    Tensor part(whole.dtype, shape);
    const std::size_t size = byteSize(whole.dtype);
    eachInPart(whole.shape, begin, shape, [&](std::int64_t from, std::int64_t to) {
        std::memcpy(part.bytes.data() + static_cast<std::size_t>(to) * size,
                    whole.bytes.data() + static_cast<std::size_t>(from) * size, size);
    });
    return part;
}

Tensor placeOf(const Tensor& whole, std::int64_t place) {
    Shape begin(whole.shape.size());
    begin[0] = place;
    Shape shape = whole.shape;
    shape[0] = 1;
    Tensor one = sliceOf(whole, begin, shape);
    one.shape.erase(one.shape.begin());
    return one;
}

double dot(const Tensor& a, const Tensor& b) {
    ensure(a.shape == b.shape, "a dot product is of two equal shapes");
    double sum = 0;
    for (std::int64_t k = 0; k < a.elements(); ++k) {
        sum += a.at(k) * b.at(k);
    }
    return sum;
}

double largestDifference(const Tensor& a, const Tensor& b) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (a.shape != b.shape) {
        return infinity;
    }
    double largest = 0;
    for (std::int64_t k = 0; k < a.elements(); ++k) {
        const double x = a.at(k);
        const double y = b.at(k);
        const bool isSame = x == y || (std::isnan(x) && std::isnan(y));
        const double difference = isSame                                 ? 0
                                  : std::isfinite(x) && std::isfinite(y) ? std::abs(x - y)
                                                                         : infinity;
        largest = std::max(largest, difference);
    }
    return largest;
}

double largestMagnitude(const Tensor& a) {
    double largest = 0;
    for (std::int64_t k = 0; k < a.elements(); ++k) {
        const double x = std::abs(a.at(k));
        largest = std::isfinite(x) ? std::max(largest, x) : largest;
    }
    return largest;
}

} // namespace weft::test
