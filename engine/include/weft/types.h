// SPDX-License-Identifier: Apache-2.0
#pragma once
// The basic types of numbers: element types, shapes, strong ids and units. Ids of different kinds
// cannot be mixed up: swapping them does not compile.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

enum class DType : std::uint8_t { f32, f64, bf16, f16, i32, i64, u8 };

/// Bytes of one element.
[[nodiscard]] constexpr std::size_t byteSize(DType dtype) {
    switch (dtype) {
    case DType::f64:
    case DType::i64: return 8;
    case DType::f32:
    case DType::i32: return 4;
    case DType::bf16:
    case DType::f16: return 2;
    case DType::u8: return 1;
    }
    return 0;
}
[[nodiscard]] constexpr bool isFloating(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::bf16 ||
           dtype == DType::f16;
}
[[nodiscard]] std::string_view nameOf(DType dtype);
[[nodiscard]] std::optional<DType> dtypeNamed(std::string_view name);

/// Sizes of the dimensions, slowest first. An empty shape is a scalar.
using Shape = std::vector<std::int64_t>;

[[nodiscard]] std::int64_t elementsOf(const Shape& shape);
/// "[32, 256, 6, 6]"
[[nodiscard]] std::string toString(const Shape& shape);

/// Number that identifies one thing of one kind; `none` identifies nothing.
template <class Tag>
struct Id {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value = none; ///< the value that identifies nothing

    [[nodiscard]] constexpr bool isNone() const { return value == none; }
    constexpr auto operator<=>(const Id&) const = default;
};

using LayerId = Id<struct LayerTag>;
/// Position of a device in the run's list of devices; its worker has the same number.
using DeviceId = Id<struct DeviceTag>;

/// The layer, and the copy of its group, that an op, span or random draw came from. Instance 0 is
/// the top level.
struct Origin {
    LayerId layer;
    std::uint32_t instance = 0; ///< copy of the layer's group; 0: the top level
    constexpr auto operator<=>(const Origin&) const = default;
};

/// The part of a training step that an op belongs to.
enum class Pass : std::uint8_t { forward, backward, update, metric };
[[nodiscard]] std::string_view nameOf(Pass pass);

/// An amount with its unit in the type.
template <class Tag>
struct Amount {
    std::int64_t count = 0; ///< in the unit that the type names

    constexpr auto operator<=>(const Amount&) const = default;
    constexpr Amount& operator+=(Amount other) {
        count += other.count;
        return *this;
    }
    constexpr Amount& operator-=(Amount other) {
        count -= other.count;
        return *this;
    }
    friend constexpr Amount operator+(Amount a, Amount b) { return a += b; }
    friend constexpr Amount operator-(Amount a, Amount b) { return a -= b; }
    friend constexpr Amount operator*(Amount a, std::int64_t times) { return {a.count * times}; }
};

using Bytes = Amount<struct ByteTag>;
using Nanoseconds = Amount<struct NanosecondTag>;
using Flops = Amount<struct FlopTag>;

/// "54.2 MB" (10^6), "1.20 ms", "8.86 GFLOP"
[[nodiscard]] std::string toString(Bytes bytes);
[[nodiscard]] std::string toString(Nanoseconds time);
[[nodiscard]] std::string toString(Flops flops);

} // namespace weft

template <class Tag>
struct std::hash<weft::Id<Tag>> {
    std::size_t operator()(weft::Id<Tag> id) const noexcept { return id.value; }
};

template <>
struct std::hash<weft::Origin> {
    std::size_t operator()(const weft::Origin& origin) const noexcept {
        return std::size_t{origin.layer.value} << 32U | origin.instance;
    }
};
