// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file lock that ends with the process that holds it.

#include "base/files/files.h"

#include <chrono>
#include <filesystem>
#include <string_view>

namespace weft {

/// Creates the file if needed and locks it. Returns a closed handle if another process holds the
/// lock. Throws Error{file} if the file cannot be created.
[[nodiscard]] FileHandle lockFile(const std::filesystem::path& path);
/// Waits for the lock. Throws Error{timeout} naming `holder` after `limit`.
[[nodiscard]] FileHandle waitForLock(const std::filesystem::path& path,
                                     std::chrono::nanoseconds limit, std::string_view holder);
/// True if a process holds the lock; false if the file does not exist.
[[nodiscard]] bool isLocked(const std::filesystem::path& path); ///< by any process
[[nodiscard]] bool isLocked(const FileHandle& file);            ///< by any process

} // namespace weft
