// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers in memory, row-major, of any element type, read and written as doubles (integers up to
// 2^53 exactly).

#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace weft::test {

struct Tensor {
    DType dtype = DType::f64;
    Shape shape;
    std::vector<std::byte> bytes;

    Tensor() = default;
    /// Zeros.
    Tensor(DType type, Shape dims);
    /// Those numbers.
    Tensor(DType type, Shape dims, const std::vector<double>& numbers);

    [[nodiscard]] std::int64_t elements() const { return elementsOf(shape); }
    [[nodiscard]] double at(std::int64_t element) const;
    void set(std::int64_t element, double number);
    [[nodiscard]] std::vector<double> numbers() const;
    /// The same numbers, rounded to that type.
    [[nodiscard]] Tensor as(DType type) const;
    bool operator==(const Tensor&) const = default;
};

/// Normal, mean 0 and variance 1, rounded to f32 so that both floating types hold them exactly.
[[nodiscard]] Tensor drawNormal(DType dtype, const Shape& shape, std::uint64_t seed,
                                std::string_view role);
/// Evenly in (low, high), rounded to f32.
[[nodiscard]] Tensor drawUniform(DType dtype, const Shape& shape, double low, double high,
                                 std::uint64_t seed, std::string_view role);
/// Evenly in [0, below).
[[nodiscard]] Tensor drawIntegers(DType dtype, const Shape& shape, std::int64_t below,
                                  std::uint64_t seed, std::string_view role);

/// The elements [begin, begin + shape) of a tensor.
[[nodiscard]] Tensor sliceOf(const Tensor& whole, const Shape& begin, const Shape& shape);
/// One place of the first dim, without that dim.
[[nodiscard]] Tensor placeOf(const Tensor& whole, std::int64_t place);
/// Calls visit(element of the whole, element of the part) for all elements of that part.
void eachInPart(const Shape& whole, const Shape& begin, const Shape& part,
                const std::function<void(std::int64_t, std::int64_t)>& visit);

/// Sum of products; both floating.
[[nodiscard]] double dot(const Tensor& a, const Tensor& b);
/// The largest |a - b|; infinity when one alone is not finite, or the shapes differ.
[[nodiscard]] double largestDifference(const Tensor& a, const Tensor& b);
[[nodiscard]] double largestMagnitude(const Tensor& a);

} // namespace weft::test
