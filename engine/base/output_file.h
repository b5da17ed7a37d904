// SPDX-License-Identifier: Apache-2.0
#pragma once
// The file that a user named for an output. A regular file, or a name that is free, gets the whole
// content at `commit()` or keeps the old one. What is no regular file (a device, a pipe, a
// descriptor of this process such as /dev/stdout) is written in place and never replaced; a folder
// is an error. Every wait has a limit. Belongs to one thread.

#include "base/files.h"

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
    void commit();

private:
    std::filesystem::path path_;
    FileHandle inPlace_;              ///< open where the target is no regular file
    std::optional<AtomicFile> whole_; ///< else
};

} // namespace weft
