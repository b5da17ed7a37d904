// SPDX-License-Identifier: Apache-2.0
#pragma once
// Random access to the bytes of a data file. Plain files are read in place; gzip files are unpacked
// into memory once, at most to the size in their header; so are the parts of archives. Immutable
// and thread-safe after `expectSize`.

#include "base/files/files.h"
#include "data/arrays/elements.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace weft {

class FileBytes {
public:
    /// Opens a regular file; throws Error{file} for anything else.
    explicit FileBytes(std::filesystem::path path);
    /// The unpacked content of a part of an archive; `path` names both in messages. `size`: that of
    /// the whole content, of which `content` may be the beginning.
    FileBytes(std::filesystem::path path, std::vector<std::byte> content, std::int64_t size);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] bool isPacked() const { return isPacked_; } ///< compressed by gzip
    /// Bytes on disk; for a packed file, the compressed size.
    [[nodiscard]] std::int64_t sizeOnDisk() const { return sizeOnDisk_; }
    /// Returns the first bytes, unpacked; fewer if the file is shorter.
    [[nodiscard]] std::vector<std::byte> head(std::size_t most) const; ///< first bytes, unpacked
    /// Requires exactly this many (unpacked) bytes; unpacks a packed file.
    void expectSize(std::int64_t size, const std::string& reason);
    /// Fills `bytes` from `offset` on; throws Error{file} or Error{format} if the file is too
    /// short.
    void read(std::int64_t offset, std::span<std::byte> bytes) const;

private:
    void unpack(std::int64_t size, const std::string& reason);

    std::filesystem::path path_;
    FileHandle file_;
    std::int64_t sizeOnDisk_ = 0; ///< bytes; for a gzip file the compressed size
    bool isPacked_ = false;       ///< compressed by gzip
    bool isHeld_ = false;         ///< `unpacked_` holds the part of an archive; there is no file
    std::vector<std::byte> unpacked_; ///< content of a compressed file or of a part of an archive
};

/// Fills `destination` with elements of `to`, converted from the file's elements at `offset`.
/// Throws Error{format} with the position if a value does not fit.
void readElements(const FileBytes& file, std::int64_t offset, ElementType from, DType to,
                  std::span<std::byte> destination);

} // namespace weft
