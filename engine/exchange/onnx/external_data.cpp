// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/external_data.h"

#include "base/files/files.h"
#include "base/process/host_memory.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

namespace weft::onnx {

namespace fs = std::filesystem;

namespace {

class ExternalFile {
public:
    ExternalFile(const fs::path& model, const std::string& tensor, const ExternalData& data)
        : model_(model), tensor_(tensor), data_(data) {}

    /// Opens the file and requires that it holds the bytes. Returns its device and
    /// inode number.
    std::pair<std::uint64_t, std::uint64_t> open(std::int64_t bytes) {
        open();
        struct stat known {};
        if (::fstat(file_.get(), &known) != 0 || !S_ISREG(known.st_mode)) {
            fail("is not a regular file");
        }
        const std::int64_t size = known.st_size;
        if (data_.offset < 0 || data_.offset > size || bytes > size - data_.offset) {
            fail(fmt::format("has {} bytes, but the tensor needs {} from byte {} on", size, bytes,
                             data_.offset));
        }
        if (data_.length >= 0 && data_.length != bytes) {
            fail(fmt::format("should hold {} bytes of the tensor, but its shape needs {}",
                             data_.length, bytes));
        }
        return {known.st_dev, known.st_ino};
    }

    [[nodiscard]] std::string read(std::int64_t bytes) const {
        std::string content(static_cast<std::size_t>(bytes), '\0');
        std::size_t done = 0;
        while (done < content.size()) {
            const ssize_t more = ::pread(file_.get(), content.data() + done, content.size() - done,
                                         data_.offset + static_cast<std::int64_t>(done));
            if (more < 0 && errno == EINTR) {
                continue;
            }
            if (more <= 0) {
                fail(more == 0 ? "ends early" : std::strerror(errno));
            }
            done += static_cast<std::size_t>(more);
        }
        return content;
    }

    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(ErrorCode::format, Where{.file = model_.string()},
                    fmt::format("tensor {}: its data file {} {}", tensor_, data_.location, reason),
                    "put the whole model, with its data files, into one folder");
    }

private:
    /// Opens the file folder by folder, so that no symbolic link is followed.
    void open() {
        const fs::path location = data_.location;
        if (data_.location.empty() || location.is_absolute() ||
            data_.location.find('\0') != std::string::npos) {
            fail("is not inside the model's folder");
        }
        const fs::path folder = model_.parent_path().empty() ? "." : model_.parent_path();
        file_ = FileHandle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        for (auto part = location.begin(); part != location.end(); ++part) {
            if (*part == "..") {
                fail("is not inside the model's folder");
            }
            if (*part == "." || part->empty()) {
                continue;
            }
            const bool isLast = std::next(part) == location.end();
            // O_NONBLOCK, because opening a pipe would block; the caller refuses a pipe.
            const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
                              (isLast ? 0 : O_DIRECTORY);
            FileHandle next(::openat(file_.get(), part->c_str(), flags));
            if (!next.isOpen()) {
                fail(errno == ELOOP ? "is a link, or in a linked folder"
                                    : fmt::format("cannot be read: {}", std::strerror(errno)));
            }
            file_ = std::move(next);
        }
    }

    const fs::path& model_;
    const std::string& tensor_;
    const ExternalData& data_;
    FileHandle file_;
};

} // namespace

ExternalFiles::ExternalFiles(fs::path model)
    : model_(std::move(model)), left_{freeHostMemory().count / 2} {
    if (left_.count == 0) { // unknown
        left_.count = std::numeric_limits<std::int64_t>::max();
    }
}

std::string ExternalFiles::read(const std::string& tensor, const ExternalData& data,
                                std::int64_t bytes, Bytes memory) {
    // The limit allows for tensors that share bytes, such as tied weights.
    constexpr std::int64_t mostReads = 4;
    ExternalFile file(model_, tensor, data);
    const auto id = file.open(bytes);
    FileUse& use = uses_[id];
    use.taken += bytes;
    use.end = std::max(use.end, data.offset + bytes);
    if (use.taken / mostReads > use.end) {
        file.fail(fmt::format("is read more than {} times", mostReads));
    }
    if (memory > left_) {
        throw Error(ErrorCode::memory, Where{.file = model_.string()},
                    fmt::format("tensor {}: with its {} from {}, the tensors take more than half "
                                "of the free memory",
                                tensor, toString(memory), data.location),
                    "close other programs, or import the model on a host with more memory");
    }
    left_ -= memory;
    return file.read(bytes);
}

} // namespace weft::onnx
