// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes PNG images from bytes [channels, rows, columns], grey or RGB.

#include "data/arrays/array.h"

#include <filesystem>

namespace weft {

/// `picture` has 1 or 3 channels. Writes atomically.
void writePng(const std::filesystem::path& path, const Array& picture);

} // namespace weft
