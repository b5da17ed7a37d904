// SPDX-License-Identifier: Apache-2.0
#include "data/file_bytes.h"

#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

namespace weft {

namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20U;

/// Unpacks concatenated gzip members, as gunzip does.
class Unpacking {
public:
    explicit Unpacking(const std::filesystem::path& path, int descriptor)
        : path_(path), descriptor_(descriptor) {
        if (inflateInit2(&state_, 15 + 16) != Z_OK) {
            throw Error(ErrorCode::memory, {.file = path_.string()}, "no memory to unpack the file",
                        "close other programs, or unpack the file");
        }
    }
    Unpacking(const Unpacking&) = delete;
    Unpacking& operator=(const Unpacking&) = delete;
    ~Unpacking() { inflateEnd(&state_); }

    /// Fills `bytes` as far as the file's data reaches; returns the number of bytes.
    std::size_t next(std::span<std::byte> bytes) {
        std::size_t done = 0;
        while (done < bytes.size() && !ended_) {
            if (state_.avail_in == 0 && !fetch()) {
                break;
            }
            const std::size_t room =
                std::min<std::size_t>(bytes.size() - done, std::numeric_limits<uInt>::max());
            state_.next_out = reinterpret_cast<Bytef*>(bytes.data() + done);
            state_.avail_out = static_cast<uInt>(room);
            const int answer = inflate(&state_, Z_NO_FLUSH);
            done += room - state_.avail_out;
            if (answer == Z_STREAM_END) {
                startNextMember();
            } else if (answer != Z_OK && answer != Z_BUF_ERROR) {
                fail("is damaged: it cannot be unpacked");
            }
        }
        return done;
    }

private:
    bool fetch() {
        const ssize_t got =
            pread(descriptor_, isPacked_.data(), isPacked_.size(), static_cast<off_t>(offset_));
        if (got < 0) {
            throwFileError(path_, "read", errno);
        }
        if (got == 0) {
            if (!betweenMembers_) {
                fail("is cut off: it ends in the middle of its packed data");
            }
            ended_ = true;
            return false;
        }
        offset_ += got;
        state_.next_in = isPacked_.data();
        state_.avail_in = static_cast<uInt>(got);
        betweenMembers_ = false;
        return true;
    }

    void startNextMember() {
        betweenMembers_ = true;
        if (inflateReset(&state_) != Z_OK) {
            fail("cannot be unpacked");
        }
        if (state_.avail_in > 0) {
            betweenMembers_ = false;
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorCode::format,
                    {.file = path_.string(),
                     .offset = offset_ - static_cast<std::int64_t>(state_.avail_in)},
                    what, "download the file again");
    }

    const std::filesystem::path& path_;
    int descriptor_;
    z_stream state_ = {};
    std::array<Bytef, 32768> isPacked_ = {};
    std::int64_t offset_ = 0;
    bool betweenMembers_ = false;
    bool ended_ = false;
};

} // namespace

FileBytes::FileBytes(std::filesystem::path path) : path_(std::move(path)) {
    // O_NONBLOCK: a named pipe without a writer would block here.
    file_ = FileHandle(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status = {};
    if (!file_.isOpen() || fstat(file_.get(), &status) != 0) {
        throwFileError(path_, "read", errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throwFileError(path_, "read", S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    sizeOnDisk_ = status.st_size;
    std::array<unsigned char, 2> magic = {};
    isPacked_ = pread(file_.get(), magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1F &&
                magic[1] == 0x8B;
}

FileBytes::FileBytes(std::filesystem::path path, std::vector<std::byte> content, std::int64_t size)
    : path_(std::move(path)), sizeOnDisk_(size), isHeld_(true), unpacked_(std::move(content)) {}

std::vector<std::byte> FileBytes::head(std::size_t most) const {
    if (isPacked_) {
        std::vector<std::byte> bytes(most);
        bytes.resize(Unpacking(path_, file_.get()).next(bytes));
        return bytes;
    }
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(std::min(static_cast<std::int64_t>(most), sizeOnDisk_)));
    read(0, bytes);
    return bytes;
}

void FileBytes::expectSize(std::int64_t size, const std::string& reason) {
    if (isPacked_) {
        unpack(size, reason);
        return;
    }
    if (size != sizeOnDisk_) {
        throw Error(ErrorCode::format,
                    {.file = path_.string(), .offset = std::min(size, sizeOnDisk_)},
                    fmt::format("has {} bytes, but {} need {}", sizeOnDisk_, reason, size),
                    "download the file again");
    }
}

void FileBytes::unpack(std::int64_t size, const std::string& reason) {
    // Bounds the claimed size of a packed file by its size on disk.
    if (size > 48 * mebibyte && (size - 48 * mebibyte) / 7 > sizeOnDisk_) {
        throw Error(ErrorCode::format, {.file = path_.string()},
                    fmt::format("claims to unpack to {} bytes from {}", size, sizeOnDisk_),
                    "if this is correct, unpack the file with gunzip and name the unpacked file");
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    Unpacking unpacking(path_, file_.get());
    const std::size_t got = unpacking.next(bytes);
    std::array<std::byte, 1> more = {};
    if (got < bytes.size() || unpacking.next(more) != 0) {
        throw Error(ErrorCode::format,
                    {.file = path_.string(), .offset = static_cast<std::int64_t>(got)},
                    fmt::format("unpacks to {} bytes than the {} that {} make",
                                got < bytes.size() ? "fewer" : "more", size, reason),
                    "download the file again");
    }
    unpacked_ = std::move(bytes);
}

void FileBytes::read(std::int64_t offset, std::span<std::byte> bytes) const {
    if (isPacked_ || isHeld_) {
        ensure(offset >= 0 && static_cast<std::size_t>(offset) + bytes.size() <= unpacked_.size(),
               "a packed file is read within its unpacked data");
        std::copy_n(unpacked_.begin() + offset, bytes.size(), bytes.begin());
        return;
    }
    std::size_t done = 0;
    while (done < bytes.size()) {
        const std::int64_t at = offset + static_cast<std::int64_t>(done);
        const ssize_t got = pread(file_.get(), bytes.data() + done, bytes.size() - done, at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throwFileError(path_, "read", errno);
        }
        if (got == 0) {
            throw Error(ErrorCode::format, {.file = path_.string(), .offset = at},
                        fmt::format("ends {} bytes before the requested data", bytes.size() - done),
                        "download the file again, and do not change it while it is in use");
        }
        done += static_cast<std::size_t>(got);
    }
}

void readElements(const FileBytes& file, std::int64_t offset, ElementType from, DType to,
                  std::span<std::byte> destination) {
    if (from == elementTypeOf(to)) {
        file.read(offset, destination);
        return;
    }
    alignas(8) std::array<std::byte, 8192> raw;
    const std::size_t most = raw.size() / from.bytes;
    for (std::size_t left = destination.size() / byteSize(to); left > 0;) {
        const std::size_t count = std::min(left, most);
        const std::span<std::byte> piece = std::span(raw).first(count * from.bytes);
        file.read(offset, piece);
        const std::size_t done =
            convertElements(from, piece, to, destination.first(count * byteSize(to)));
        if (done < count) {
            throw Error(
                ErrorCode::format,
                {.file = file.path().string(),
                 .offset = offset + static_cast<std::int64_t>(done * from.bytes)},
                fmt::format("contains a {} that does not fit into {}", toString(from), nameOf(to)),
                "choose a wider dtype, or correct the file");
        }
        destination = destination.subspan(count * byteSize(to));
        offset += static_cast<std::int64_t>(count * from.bytes);
        left -= count;
    }
}

} // namespace weft
