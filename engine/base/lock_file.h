// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lock on a file that goes with the process that holds it, however that ends.

#include "base/files.h"

#include <chrono>
#include <filesystem>
#include <string_view>

namespace weft {

/// The file, made where it is not there, and held; not open where another process holds it. Throws
/// Error{file} where it cannot be made.
[[nodiscard]] FileHandle lockFile(const std::filesystem::path& path);
/// Waits for it. Error{timeout} names `holder`, whoever it is that holds it so long.
[[nodiscard]] FileHandle waitForLock(const std::filesystem::path& path,
                                     std::chrono::nanoseconds limit, std::string_view holder);
/// Whether somebody holds it. Of a file that isn't there nobody does.
[[nodiscard]] bool isLocked(const std::filesystem::path& path);
[[nodiscard]] bool isLocked(const FileHandle& file);

} // namespace weft
