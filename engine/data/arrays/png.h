// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures as PNG: read as bytes [channels, rows, columns], grey or red, green and blue; written
// from the same. A picture of any kind of PNG is brought to what is asked for.

#include "data/arrays/array.h"

#include <filesystem>

namespace weft {

/// `channels`: 1 or 3. Error{file} or Error{format} that names the file; more than 64 million
/// pixels are refused.
[[nodiscard]] Array readPng(const std::filesystem::path& path, std::int64_t channels);

/// `picture`: bytes [channels, rows, columns] with 1 or 3 channels. Written beside, synced and
/// renamed.
void writePng(const std::filesystem::path& path, const Array& picture);

} // namespace weft
