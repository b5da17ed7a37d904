// SPDX-License-Identifier: Apache-2.0
#pragma once
// An open picture file at its start. Only regular files can be opened.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace weft {

class PictureFile {
public:
    explicit PictureFile(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::int64_t size() const { return size_; } ///< bytes
    /// The reader manages the stream's position.
    [[nodiscard]] std::FILE* stream() const { return stream_.get(); }
    /// Returns the first bytes and rewinds the stream.
    [[nodiscard]] std::string head(std::size_t most) const;
    /// Throws Error{format} with the file's name.
    [[noreturn]] void fail(const std::string& what, const std::string& remedy = {}) const;

private:
    struct FileCloser {
        void operator()(std::FILE* stream) const { static_cast<void>(std::fclose(stream)); }
    };

    std::filesystem::path path_;
    std::int64_t size_ = 0; ///< bytes
    std::unique_ptr<std::FILE, FileCloser> stream_;
};

} // namespace weft
