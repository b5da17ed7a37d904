// SPDX-License-Identifier: Apache-2.0
#pragma once
// Access to ids, targets and positions of any integer type.

#include <cstdint>

namespace weft::cuda {

enum class Number : std::uint8_t { f32, f64, i32, i64, u8 };

struct Integers {
    const void* values = nullptr;
    Number type = Number::i64;

    [[nodiscard]] constexpr std::int64_t at(std::int64_t k) const {
        switch (type) {
        case Number::i32: return static_cast<const std::int32_t*>(values)[k];
        case Number::u8: return static_cast<const std::uint8_t*>(values)[k];
        default: return static_cast<const std::int64_t*>(values)[k];
        }
    }
};

/// An integer result.
struct IntegerResult {
    void* values = nullptr;
    Number type = Number::i64;

    constexpr void set(std::int64_t k, std::int64_t value) const {
        switch (type) {
        case Number::i32:
            static_cast<std::int32_t*>(values)[k] = static_cast<std::int32_t>(value);
            break;
        case Number::u8:
            static_cast<std::uint8_t*>(values)[k] = static_cast<std::uint8_t>(value);
            break;
        default: static_cast<std::int64_t*>(values)[k] = value;
        }
    }
};

} // namespace weft::cuda
