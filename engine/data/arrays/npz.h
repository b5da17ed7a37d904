// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the arrays of NumPy's .npz archives. No more is unpacked of an array than its header says.

#include "data/file_bytes.h"

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Returns the names of the arrays in the order of the archive, without ".npy".
[[nodiscard]] std::vector<std::string> npzNames(const std::filesystem::path& path);
/// Unpacks one array; with `isHead` only its beginning, which holds the header.
[[nodiscard]] FileBytes npzArray(const std::filesystem::path& path, const std::string& name,
                                 bool isHead);

} // namespace weft
