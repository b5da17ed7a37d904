// SPDX-License-Identifier: Apache-2.0
#include "events/sinks/growing_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t mostPending = std::size_t{16} << 20U;

} // namespace

WholeLines wholeLinesOf(const std::filesystem::path& path) {
    WholeLines lines;
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::array<char, 65536> chunk;
    std::uint64_t at = 0;
    for (ssize_t got = 0; (got = ::read(file.get(), chunk.data(), chunk.size())) > 0;) {
        for (ssize_t i = 0; i < got; ++i, ++at) {
            if (chunk.at(static_cast<std::size_t>(i)) == '\n') {
                ++lines.count;
                lines.bytes = at + 1;
            }
        }
    }
    return lines;
}

GrowingFile::GrowingFile(std::filesystem::path path, std::uint64_t kept)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)),
      size_(kept) {
    if (!file_.isOpen() || ::ftruncate(file_.get(), static_cast<off_t>(kept)) != 0) {
        throwFileError(path_, "write", errno);
    }
}

int GrowingFile::tryToWrite() {
    std::size_t done = 0;
    while (done < pending_.size()) {
        const ssize_t written = ::pwrite(file_.get(), pending_.data() + done,
                                         pending_.size() - done, static_cast<off_t>(size_ + done));
        if (written < 0 && errno != EINTR) {
            const int number = errno;
            // Cuts the file after the last whole record. If that fails too, the next write
            // overwrites the torn record.
            static_cast<void>(!::ftruncate(file_.get(), static_cast<off_t>(size_)));
            return number;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    size_ += done;
    pending_.clear();
    return 0;
}

void GrowingFile::flush() {
    const int number = tryToWrite();
    if (number != 0 && pending_.size() > mostPending) {
        throwFileError(path_, "write", number);
    }
}

void GrowingFile::finish() {
    if (const int number = tryToWrite(); number != 0) {
        throwFileError(path_, "write", number);
    }
}

} // namespace weft
