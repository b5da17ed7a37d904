// SPDX-License-Identifier: Apache-2.0
#include "data/films/picture_file.h"

#include "base/files/files.h"
#include <weft/error.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace weft {

PictureFile::PictureFile(std::filesystem::path path) : path_(std::move(path)) {
    // O_NONBLOCK: a named pipe without a writer would block here.
    FileHandle file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status = {};
    if (!file.isOpen() || fstat(file.get(), &status) != 0) {
        throwFileError(path_, "read", errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throwFileError(path_, "read", S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    size_ = status.st_size;
    stream_.reset(fdopen(file.get(), "rb"));
    if (!stream_) {
        throwFileError(path_, "read", errno);
    }
    static_cast<void>(file.release());
}

std::string PictureFile::head(std::size_t most) const {
    std::string bytes(most, '\0');
    bytes.resize(std::fread(bytes.data(), 1, most, stream_.get()));
    std::rewind(stream_.get());
    return bytes;
}

void PictureFile::fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorCode::format, {.file = path_.string()}, what,
                remedy.empty() ? "replace it by a readable picture, or remove it" : remedy);
}

} // namespace weft
