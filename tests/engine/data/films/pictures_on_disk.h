// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures for tests: PGM and PPM of given numbers.

#include "engine/data/raises.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft::test {

/// Grey, of one byte a pixel.
inline void writePgm(const std::filesystem::path& path, int rows, int columns,
                     const std::vector<int>& pixels) {
    std::string bytes = "P5\n" + std::to_string(columns) + " " + std::to_string(rows) + "\n255\n";
    for (const int pixel : pixels) {
        bytes += static_cast<char>(pixel);
    }
    std::filesystem::create_directories(path.parent_path());
    writeBytes(path, bytes);
}

/// One pixel of that grey.
inline void writeDot(const std::filesystem::path& path, int grey) { writePgm(path, 1, 1, {grey}); }

} // namespace weft::test
