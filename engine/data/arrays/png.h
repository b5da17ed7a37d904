// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pictures written as PNG: bytes [channels, rows, columns], grey or red, green and blue.

#include "data/arrays/array.h"

#include <filesystem>

namespace weft {

/// `picture`: of 1 or 3 channels. Written beside, synced and renamed.
void writePng(const std::filesystem::path& path, const Array& picture);

} // namespace weft
