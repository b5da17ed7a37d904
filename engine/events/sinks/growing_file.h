// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file of whole records. Records that a full disk does not accept are kept and retried with the
// next record; the file always ends with a whole record.

#include "base/files/files.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// Number of lines of a file and the bytes up to the end of the last whole line; 0 without a file.
struct WholeLines {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};
[[nodiscard]] WholeLines wholeLinesOf(const std::filesystem::path& path);

class GrowingFile {
public:
    /// Keeps the first `kept` bytes of an existing file.
    GrowingFile(std::filesystem::path path, std::uint64_t kept);

    void append(std::string_view records) { pending_ += records; }
    /// Writes the appended records. Throws Error{file} if too much is kept in memory for a disk
    /// that accepts nothing.
    void flush();
    /// Flushes; throws Error{file} if not everything was written.
    void finish();

private:
    /// Returns errno, or 0.
    [[nodiscard]] int tryToWrite();

    std::filesystem::path path_;
    FileHandle file_;
    std::uint64_t size_;
    std::string pending_;
};

} // namespace weft
