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
    std::uint64_t count = 0; ///< number of lines
    std::uint64_t bytes = 0; ///< up to the end of the last whole line
};
[[nodiscard]] WholeLines wholeLinesOf(const std::filesystem::path& path);

class GrowingFile {
public:
    /// Keeps the first `kept` bytes of an existing file.
    GrowingFile(std::filesystem::path path, std::uint64_t kept);

    void append(std::string_view records) { pending_ += records; }
    /// Writes the appended records. Throws Error{file} if too much is kept in memory for a disk
    /// that accepts nothing.
    void flush(); ///< writes the appended records, as far as the disk accepts them
    /// Flushes; throws Error{file} if not everything was written.
    void finish(); ///< throws Error{file} if not everything was written

private:
    [[nodiscard]] int tryToWrite(); ///< returns errno, or 0

    std::filesystem::path path_;
    FileHandle file_;
    std::uint64_t size_;  ///< bytes of whole records in the file
    std::string pending_; ///< records that are not written yet
};

} // namespace weft
