// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a file that a user named for an output. A regular or new file gets the whole content at
// `commit()`, or keeps the old one. A device, pipe or descriptor such as /dev/stdout is written in
// place; a folder is an error. All waits have timeouts. Not thread-safe.

#include "base/files/files.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace weft {

class OutputFile {
public:
    explicit OutputFile(std::filesystem::path path);

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    void commit(); ///< makes the content appear

private:
    std::filesystem::path path_;           ///< as the user named it
    FileHandle deviceOrPipe_;              ///< device or pipe to write to; closed: a regular file
    std::optional<AtomicFile> atomicFile_; ///< for regular and new files
};

} // namespace weft
