// SPDX-License-Identifier: Apache-2.0
#pragma once
// Archives as zip writes them, for tests of their readers.

#include "support/packed.h"

#include <zlib.h>

#include <cstddef>
#include <string>
#include <vector>

namespace weft::test {

struct ZipPart {
    std::string name;
    std::string content;
    bool isDeflated = true;
    int lie = 0; ///< bytes by which the declared size is too large
};

inline std::string zipped(const std::vector<ZipPart>& parts) {
    const auto number = [](std::size_t value, std::size_t bytes) {
        std::string text;
        for (std::size_t k = 0; k < bytes; ++k) {
            text += static_cast<char>(k < sizeof(value) ? value >> (8 * k) & 255U : 0U);
        }
        return text;
    };
    std::string local;
    std::string central;
    for (const ZipPart& part : parts) {
        constexpr std::size_t before = 10; // what gzip adds around the deflated bytes
        constexpr std::size_t after = 8;
        const std::string gzip = packed(part.content);
        const std::string stored =
            part.isDeflated ? gzip.substr(before, gzip.size() - before - after) : part.content;
        const std::size_t sum = crc32(0, reinterpret_cast<const Bytef*>(part.content.data()),
                                      static_cast<uInt>(part.content.size()));
        const std::string form =
            number(20, 2) + number(0, 2) + number(part.isDeflated ? 8 : 0, 2) + number(0, 4) +
            number(sum, 4) + number(stored.size(), 4) +
            number(part.content.size() + static_cast<std::size_t>(part.lie), 4) +
            number(part.name.size(), 2) + number(0, 2);
        central +=
            "PK\1\2" + number(20, 2) + form + number(0, 10) + number(local.size(), 4) + part.name;
        local += "PK\3\4" + form + part.name + stored;
    }
    return local + central + "PK\5\6" + number(0, 4) + number(parts.size(), 2) +
           number(parts.size(), 2) + number(central.size(), 4) + number(local.size(), 4) +
           number(0, 2);
}

} // namespace weft::test
