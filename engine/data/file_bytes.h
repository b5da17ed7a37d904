// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bytes of a data file at any position. A plain file is read where it lies; a packed one (gzip)
// is unpacked into memory once, and only as far as its header promised. Const after `expectSize`:
// any number of threads may then read.

#include "base/files.h"
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
    /// Opens a regular file; anything else is Error{file}.
    explicit FileBytes(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] bool isPacked() const { return packed_; }
    /// Bytes on disk; for a packed file that is not what it holds.
    [[nodiscard]] std::int64_t sizeOnDisk() const { return sizeOnDisk_; }
    /// The first bytes, unpacked; fewer where the file is shorter.
    [[nodiscard]] std::vector<std::byte> head(std::size_t most) const;
    /// The file must hold exactly this many bytes (unpacked); a packed one is unpacked here.
    void expectSize(std::int64_t size, const std::string& reason);
    /// Fills `bytes` from `offset` on; Error{file} or Error{format} where the file ends before.
    void read(std::int64_t offset, std::span<std::byte> bytes) const;

private:
    void unpack(std::int64_t size, const std::string& reason);

    std::filesystem::path path_;
    FileHandle file_;
    std::int64_t sizeOnDisk_ = 0;
    bool packed_ = false;
    std::vector<std::byte> unpacked_;
};

/// Fills `destination` with as many elements of `to` as it holds, converted from those of the file
/// at `offset`. A value that does not fit is Error{format} that says where it is.
void readElements(const FileBytes& file, std::int64_t offset, ElementType from, DType to,
                  std::span<std::byte> destination);

} // namespace weft
