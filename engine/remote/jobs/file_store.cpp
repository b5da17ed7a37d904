// SPDX-License-Identifier: Apache-2.0
#include "remote/jobs/file_store.h"

#include "base/files/files.h"
#include "base/hash.h"
#include "remote/jobs/job_files.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Bytes hashed per call, which takes some hundredths of a second.
constexpr std::uint64_t lookPerCall = std::uint64_t{64} << 20U;
constexpr std::size_t lookPiece = std::size_t{1} << 20U;
/// Limit of incomplete files whose hash state is kept.
constexpr std::size_t mostLooked = 16;

void requireFileHash(const std::string& hash) {
    const bool isHash = hash.size() == 32 && std::ranges::all_of(hash, [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                        });
    if (!isHash) {
        throw Error(ErrorCode::usage, Where{.file = hash}, "is not the hash of a file",
                    "use 32 hexadecimal digits");
    }
}

fs::path partOf(const fs::path& whole) { return whole.string() + ".part"; }

/// Returns none unless there is a regular file of exactly this name.
std::optional<struct stat> factsOfFile(const fs::path& path) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return std::nullopt;
    }
    return facts;
}

std::uint64_t sizeIn(const struct stat& facts) {
    return static_cast<std::uint64_t>(std::max<off_t>(facts.st_size, 0));
}

/// Hashes at most so many bytes from the current position; false at the end of the file.
bool takeFrom(int file, Hash128Stream& stream, std::uint64_t most, std::uint64_t& taken,
              const fs::path& path) {
    std::vector<std::byte> piece(lookPiece);
    for (std::uint64_t left = most; left > 0;) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
        const ssize_t got = ::pread(file, piece.data(), wanted, static_cast<off_t>(taken));
        if (got == 0) {
            return false;
        }
        if (got < 0 && errno != EINTR) {
            throwFileError(path, "read", errno);
        }
        const auto size = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        stream.take(std::span(piece).first(size));
        taken += size;
        left -= size;
    }
    return true;
}

/// Writes the bytes at the offset and starts writing them to disk, so that the final sync is short.
void writeAt(int file, std::uint64_t offset, std::string_view bytes, const fs::path& path) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t written =
            ::pwrite(file, bytes.data() + at, bytes.size() - at, static_cast<off_t>(offset + at));
        if (written < 0 && errno != EINTR) {
            throwFileError(path, "write", errno);
        }
        at += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    ::sync_file_range(file, static_cast<off_t>(offset), static_cast<off_t>(bytes.size()),
                      SYNC_FILE_RANGE_WRITE);
}

void requireRoom(const fs::path& folder, std::uint64_t bytes) {
    std::error_code unknown;
    const fs::space_info space = fs::space(folder, unknown);
    if (!unknown && space.available < bytes) {
        throwFileError(folder, fmt::format("take {} bytes more", bytes), ENOSPC);
    }
}

} // namespace

std::string fileHash(const fs::path& path) {
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0) {
        throwFileError(path, "read", errno);
    }
    if (!S_ISREG(facts.st_mode)) {
        throw Error(ErrorCode::file, Where{.file = path.string()}, "is not a regular file",
                    "name a regular file");
    }
    Hash128Stream stream;
    std::uint64_t taken = 0;
    while (takeFrom(file.get(), stream, lookPerCall, taken, path)) {
    }
    return hexText(stream.value());
}

FileStore::FileStore(fs::path runs) : runs_(fs::absolute(std::move(runs))) {}

StoredBytes FileStore::held(const std::string& hash) const {
    requireFileHash(hash);
    const fs::path whole = runs_ / ".files" / hash;
    const fs::path part = partOf(whole);
    for (const fs::path& path : {whole, part}) {
        if (const auto facts = factsOfFile(path)) {
            ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
            return {sizeIn(*facts), path == whole};
        }
    }
    return {};
}

StoredBytes FileStore::put(const std::string& hash, std::uint64_t offset, std::string_view bytes,
                           std::uint64_t total) {
    const StoredBytes before = held(hash);
    if (before.isWhole) {
        return before;
    }
    if (offset > before.bytes || bytes.size() > total || offset > total - bytes.size()) {
        throw Error(
            ErrorCode::usage, Where{.file = hash},
            fmt::format("{} bytes at {} of {} do not continue the {} bytes that were received",
                        bytes.size(), offset, total, before.bytes),
            "query how many bytes the host has, and continue after them");
    }
    makeFolder(runs_);
    const fs::path folder = makePrivateFolder(runs_, ".files");
    requireRoom(folder, total - std::min(total, before.bytes));
    const fs::path part = partOf(folder / hash);
    const FileHandle file(::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file.isOpen()) {
        throwFileError(part, "write", errno);
    }
    // Bytes that are already there are kept, because they may have been hashed.
    const std::uint64_t known = std::min<std::uint64_t>(before.bytes - offset, bytes.size());
    writeAt(file.get(), offset + known, bytes.substr(known), part);
    const std::uint64_t there = std::max(before.bytes, offset + bytes.size());
    if (!hashUpTo(hash, file.get(), std::min(there, total)) || there < total) {
        return {there, false};
    }
    const bool isRight = hexText(partialHashes_.at(hash).stream.value()) == hash && there == total;
    partialHashes_.erase(hash);
    if (!isRight) {
        ::unlink(part.c_str());
        throw Error(ErrorCode::format, Where{.file = hash},
                    "the received bytes differ from the announced file",
                    "the file may have changed while it was sent: send it again");
    }
    publish(file.get(), hash);
    return {total, true};
}

/// True once all of the bytes up to `until` are hashed. They are read from disk, since another
/// process may have written them.
bool FileStore::hashUpTo(const std::string& hash, int file, std::uint64_t until) {
    if (partialHashes_.size() >= mostLooked && !partialHashes_.contains(hash)) {
        partialHashes_.erase(partialHashes_.begin());
    }
    PartialHash& looked = partialHashes_[hash];
    const std::uint64_t left = until - std::min(until, looked.bytes);
    takeFrom(file, looked.stream, std::min(lookPerCall, left), looked.bytes, hash);
    return looked.bytes >= until;
}

void FileStore::publish(int file, const std::string& hash) const {
    const fs::path whole = runs_ / ".files" / hash;
    const fs::path part = partOf(whole);
    if ((::fsync(file) != 0 && errno != EINVAL) || ::fchmod(file, 0444) != 0) {
        throwFileError(part, "keep", errno);
    }
    // The part is missing if another process completed the same file first.
    if (::rename(part.c_str(), whole.c_str()) != 0 && !(errno == ENOENT && factsOfFile(whole))) {
        throwFileError(part, "keep", errno);
    }
    syncFolder(whole.parent_path());
}

fs::path FileStore::completeFile(const std::string& hash) const {
    if (!held(hash).isWhole) {
        throw Error(ErrorCode::usage, Where{.file = hash}, "this file has not arrived yet",
                    "send the file first");
    }
    return runs_ / ".files" / hash;
}

void FileStore::linkFile(const std::string& hash, const fs::path& file) const {
    const fs::path there = completeFile(hash);
    if (::link(there.c_str(), file.c_str()) == 0) {
        return;
    }
    if (errno == EEXIST) {
        throwFileError(file, "write", EEXIST);
    }
    // The file system has no hard links, or this file has too many.
    std::error_code error;
    fs::copy_file(there, file, error);
    if (error) {
        throwFileError(file, "write", error.value());
    }
}

void FileStore::prune(std::chrono::hours unused) const {
    const auto oldest = std::time(nullptr) - std::chrono::seconds(unused).count();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs_ / ".files", ignored)) {
        const auto facts = factsOfFile(entry.path());
        if (facts && facts->st_nlink == 1 && facts->st_mtime < oldest) {
            fs::remove(entry.path(), ignored);
        }
    }
}

} // namespace weft
