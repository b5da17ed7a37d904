// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file that grows by whole records. What a full disk does not take is kept and tried again with
// the next record; the file always ends with a whole one.

#include "base/files.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// Lines of a file, and the bytes up to the end of the last whole one; none where there is no file.
struct WholeLines {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};
[[nodiscard]] WholeLines wholeLinesOf(const std::filesystem::path& path);

class GrowingFile {
public:
    /// Keeps the first `kept` bytes of what is there.
    GrowingFile(std::filesystem::path path, std::uint64_t kept);

    void append(std::string_view records) { pending_ += records; }
    /// Writes what was appended; Error{file} when too much has been kept for a disk that takes
    /// nothing.
    void flush();
    /// Flushes, and throws Error{file} where not all is written.
    void finish();

private:
    /// The system's error, or 0.
    [[nodiscard]] int tryToWrite();

    std::filesystem::path path_;
    FileHandle file_;
    std::uint64_t size_;
    std::string pending_;
};

} // namespace weft
