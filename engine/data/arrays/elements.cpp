// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/elements.h"

#include <weft/error.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace weft {

namespace {

/// Elements as they lie in memory: an IEEE half, a bfloat16 and a boolean byte.
struct Half {
    std::uint16_t bits;
};
struct Brain {
    std::uint16_t bits;
};
struct Truth {
    std::uint8_t byte;
};

float widened(Brain value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}

float widened(Half value) {
    const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (value.bits >> 10U) & 0x1FU;
    const std::uint32_t fraction = value.bits & 0x3FFU;
    if (exponent == 0) {
        const float small = std::ldexp(static_cast<float>(fraction), -24);
        return sign == 0 ? small : -small;
    }
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
    return std::bit_cast<float>(sign | (wide << 23U) | (fraction << 13U));
}

/// Rounds to nearest even.
Brain brain(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) {
        return {static_cast<std::uint16_t>((bits >> 16U) | 0x40U)};
    }
    return {static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U)};
}

Half half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const float size = std::fabs(value);
    if (std::isnan(value)) {
        return {static_cast<std::uint16_t>(sign | 0x7E00U)};
    }
    if (size >= 65520.0F) {
        return {static_cast<std::uint16_t>(sign | 0x7C00U)};
    }
    if (size < 0x1p-14F) {
        return {static_cast<std::uint16_t>(
            sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(size, 24))))};
    }
    const auto body = std::bit_cast<std::uint32_t>(size);
    const std::uint32_t rounded = body + 0xFFFU + ((body >> 13U) & 1U);
    return {static_cast<std::uint16_t>(sign | ((rounded - (112U << 23U)) >> 13U))};
}

template <class From>
auto number(From value) {
    if constexpr (std::is_same_v<From, Half> || std::is_same_v<From, Brain>) {
        return widened(value);
    } else if constexpr (std::is_same_v<From, Truth>) {
        return static_cast<std::uint8_t>(value.byte != 0);
    } else {
        return value;
    }
}

template <class To, class Number>
bool fits(Number value) {
    if constexpr (!std::is_integral_v<To>) {
        return true;
    } else if constexpr (std::is_floating_point_v<Number>) {
        // The bounds are powers of two, exact in every floating type.
        return value >= static_cast<Number>(std::numeric_limits<To>::min()) &&
               value < std::ldexp(Number{1}, std::numeric_limits<To>::digits) &&
               std::trunc(value) == value;
    } else {
        return std::in_range<To>(value);
    }
}

template <class To, class Number>
To stored(Number value) {
    if constexpr (std::is_same_v<To, Half>) {
        return half(static_cast<float>(value));
    } else if constexpr (std::is_same_v<To, Brain>) {
        return brain(static_cast<float>(value));
    } else {
        return static_cast<To>(value);
    }
}

template <class From, class To>
std::size_t convert(std::span<const std::byte> raw, std::span<std::byte> converted) {
    const std::size_t count = raw.size() / sizeof(From);
    for (std::size_t i = 0; i < count; ++i) {
        From from;
        std::memcpy(&from, raw.data() + i * sizeof(From), sizeof(From));
        const auto value = number(from);
        if (!fits<To>(value)) {
            return i;
        }
        const To to = stored<To>(value);
        std::memcpy(converted.data() + i * sizeof(To), &to, sizeof(To));
    }
    return count;
}

template <class From>
std::size_t convertFrom(std::span<const std::byte> raw, DType to, std::span<std::byte> converted) {
    switch (to) {
    case DType::f32: return convert<From, float>(raw, converted);
    case DType::f64: return convert<From, double>(raw, converted);
    case DType::bf16: return convert<From, Brain>(raw, converted);
    case DType::f16: return convert<From, Half>(raw, converted);
    case DType::i32: return convert<From, std::int32_t>(raw, converted);
    case DType::i64: return convert<From, std::int64_t>(raw, converted);
    case DType::u8: return convert<From, std::uint8_t>(raw, converted);
    }
    return 0;
}

template <class One, class Two, class Four, class Eight>
std::size_t convertWidth(std::size_t bytes, std::span<const std::byte> raw, DType to,
                         std::span<std::byte> converted) {
    switch (bytes) {
    case 1: return convertFrom<One>(raw, to, converted);
    case 2: return convertFrom<Two>(raw, to, converted);
    case 4: return convertFrom<Four>(raw, to, converted);
    default: return convertFrom<Eight>(raw, to, converted);
    }
}

void swapBytes(std::span<std::byte> raw, std::size_t width) {
    for (std::size_t at = 0; at + width <= raw.size(); at += width) {
        std::reverse(raw.begin() + static_cast<std::ptrdiff_t>(at),
                     raw.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
}

} // namespace

bool isFloating(ElementType type) {
    return type.kind == ElementKind::floating || type.kind == ElementKind::bfloat16;
}

std::string toString(ElementType type) {
    std::string text = type.bytes > 1 && type.isBigEndian ? "big-endian " : "";
    text += std::to_string(type.bytes * 8) + "-bit ";
    switch (type.kind) {
    case ElementKind::floating: return text + "float";
    case ElementKind::bfloat16: return text + "brain float";
    case ElementKind::integer: return text + "integer";
    case ElementKind::unsignedInteger: return text + "unsigned integer";
    case ElementKind::boolean: return text + "boolean";
    }
    return text;
}

ElementType elementTypeOf(DType dtype) {
    switch (dtype) {
    case DType::bf16: return {ElementKind::bfloat16, 2};
    case DType::i32:
    case DType::i64: return {ElementKind::integer, byteSize(dtype)};
    case DType::u8: return {ElementKind::unsignedInteger, 1};
    case DType::f32:
    case DType::f64:
    case DType::f16: break;
    }
    return {ElementKind::floating, byteSize(dtype)};
}

DType dtypeFor(ElementType type) {
    switch (type.kind) {
    case ElementKind::bfloat16: return DType::bf16;
    case ElementKind::boolean: return DType::u8;
    case ElementKind::floating:
        return type.bytes == 2 ? DType::f16 : type.bytes == 4 ? DType::f32 : DType::f64;
    case ElementKind::unsignedInteger:
        return type.bytes == 1 ? DType::u8 : type.bytes == 2 ? DType::i32 : DType::i64;
    case ElementKind::integer: break;
    }
    return type.bytes <= 4 ? DType::i32 : DType::i64;
}

std::size_t convertElements(ElementType from, std::span<std::byte> raw, DType to,
                            std::span<std::byte> converted) {
    ensure(raw.size() % from.bytes == 0, "conversion gets whole elements");
    ensure(raw.size() / from.bytes * byteSize(to) <= converted.size(),
           "conversion has room for its result");
    if (from.isBigEndian && from.bytes > 1) {
        swapBytes(raw, from.bytes);
    }
    switch (from.kind) {
    case ElementKind::boolean: return convertFrom<Truth>(raw, to, converted);
    case ElementKind::bfloat16: return convertFrom<Brain>(raw, to, converted);
    case ElementKind::floating:
        return from.bytes == 2   ? convertFrom<Half>(raw, to, converted)
               : from.bytes == 4 ? convertFrom<float>(raw, to, converted)
                                 : convertFrom<double>(raw, to, converted);
    case ElementKind::integer:
        return convertWidth<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(from.bytes, raw,
                                                                                   to, converted);
    case ElementKind::unsignedInteger:
        return convertWidth<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(
            from.bytes, raw, to, converted);
    }
    return 0;
}

} // namespace weft
