// SPDX-License-Identifier: Apache-2.0
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace weft {

namespace {

struct CodePoint {
    std::uint32_t value = 0;
    std::size_t bytes = 0; ///< 0: no valid UTF-8 at this position
};

CodePoint firstOf(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t bytes = first >= 0xf0 && first < 0xf5   ? 4
                              : first >= 0xe0 && first < 0xf0 ? 3
                              : first >= 0xc2 && first < 0xe0 ? 2
                                                              : 0;
    if (bytes == 0 || text.size() < bytes) {
        return {};
    }
    std::uint32_t value = first & (0x7fU >> bytes);
    for (std::size_t k = 1; k < bytes; ++k) {
        const auto next = static_cast<unsigned char>(text[k]);
        if ((next & 0xc0U) != 0x80U) {
            return {};
        }
        value = (value << 6U) | (next & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = value >= 0xd800 && value < 0xe000;
    return value < least[bytes] || isSurrogate || value > 0x10ffff ? CodePoint{}
                                                                   : CodePoint{value, bytes};
}

bool isSteering(std::uint32_t value) {
    return value < 0x20 || (value >= 0x7f && value < 0xa0) ||
           (value >= 0x200e && value <= 0x200f) || (value >= 0x2028 && value <= 0x202e) ||
           (value >= 0x2066 && value <= 0x2069) || value == 0xfeff;
}

} // namespace

std::string printable(std::string_view text, bool keepsLines) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = firstOf(text);
        if (point.bytes == 0) {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        } else if (point.value == '\n' && !keepsLines) {
            shown += "\\n";
        } else if (point.value == '\t' && !keepsLines) {
            shown += "\\t";
        } else if (point.value != '\n' && point.value != '\t' && isSteering(point.value)) {
            // Uses JSON's long form, because JSON escapes the other characters itself.
            shown += point.value < 0x20 ? fmt::format("\\x{:02x}", point.value)
                                        : fmt::format("\\u{:04x}", point.value);
        } else {
            shown += text.substr(0, point.bytes);
        }
        text.remove_prefix(std::max<std::size_t>(1, point.bytes));
    }
    return shown;
}

} // namespace weft
