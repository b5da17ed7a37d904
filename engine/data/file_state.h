// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tells whether a file or a folder has changed, without reading it.

#include <sys/types.h>

#include <ctime>
#include <filesystem>

namespace weft {

/// Where a file lies, its size, and when its content, name or rights were last changed. For a
/// folder, its content is the list of names in it.
struct FileState {
    dev_t device = 0;      ///< device of the file system
    ino_t number = 0;      ///< inode number
    off_t size = -1;       ///< bytes; -1: there is no file
    timespec changed = {}; ///< last change of content, name or rights (ctime)

    bool operator==(const FileState& other) const {
        return device == other.device && number == other.number && size == other.size &&
               changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
    }
    [[nodiscard]] bool isThere() const { return size >= 0; } ///< the file exists
};

/// Follows links.
[[nodiscard]] FileState fileStateOf(const std::filesystem::path& path);

} // namespace weft
