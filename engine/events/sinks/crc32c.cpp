// SPDX-License-Identifier: Apache-2.0
#include "events/sinks/crc32c.h"

#include <array>

namespace weft {

namespace {

constexpr std::array<std::uint32_t, 256> makeTable() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? 0x82F63B78U : 0U);
        }
        table.at(byte) = remainder;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> table = makeTable();

} // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t remainder = ~0U;
    for (const char c : bytes) {
        remainder = table[(remainder ^ static_cast<unsigned char>(c)) & 0xffU] ^ (remainder >> 8U);
    }
    return ~remainder;
}

} // namespace weft
