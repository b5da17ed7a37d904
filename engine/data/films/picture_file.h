// SPDX-License-Identifier: Apache-2.0
#pragma once
// A file of a picture, open for reading from its start. Only regular files are opened.

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
    [[nodiscard]] std::int64_t size() const { return size_; }
    /// Its place is the reader's to know.
    [[nodiscard]] std::FILE* stream() const { return stream_.get(); }
    /// The first bytes; the stream stands at the start again.
    [[nodiscard]] std::string head(std::size_t most) const;
    /// Error{format} that names it.
    [[noreturn]] void fail(const std::string& what, const std::string& remedy = {}) const;

private:
    struct Closing {
        void operator()(std::FILE* stream) const { static_cast<void>(std::fclose(stream)); }
    };

    std::filesystem::path path_;
    std::int64_t size_ = 0;
    std::unique_ptr<std::FILE, Closing> stream_;
};

} // namespace weft
