// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"

#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

void throwFileError(const fs::path& path, std::string_view action, int number) {
    std::string remedy = "check the path and the disk it is on";
    switch (number) {
    case ENOENT: remedy = "check the path"; break;
    case ENOSPC:
    case EDQUOT: remedy = "free space on its disk, or choose another folder"; break;
    case EACCES:
    case EPERM: remedy = "change its permissions, or choose another folder"; break;
    case EROFS: remedy = "its disk is read-only: choose another folder"; break;
    case EFBIG: remedy = "raise the limit on file sizes (ulimit -f), or choose another disk"; break;
    case EMFILE:
    case ENFILE: remedy = "raise the limit on open files (ulimit -n)"; break;
    case EISDIR: remedy = "it is a folder: name a regular file"; break;
    case ENOTDIR: remedy = "a part of the path is a file: check the path"; break;
    case ENAMETOOLONG: remedy = "choose a shorter name"; break;
    case ELOOP: remedy = "its symbolic links form a cycle: name a regular file"; break;
    case EPIPE:
        remedy = "the process that reads the pipe ended: start it again, or name a regular file";
        break;
    default: break;
    }
    Where where;
    where.file = path.string();
    throw Error(ErrorCode::file, std::move(where),
                fmt::format("cannot {}: {}", action, std::generic_category().message(number)),
                remedy);
}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
    if (this != &other) {
        FileHandle old(std::exchange(descriptor_, other.release()));
    }
    return *this;
}

FileHandle::~FileHandle() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

int FileHandle::release() { return std::exchange(descriptor_, -1); }

namespace {

/// Returns a temporary name that no other process or thread uses, made unique by process and count.
fs::path besideName(const fs::path& path) {
    static std::atomic<unsigned> count{0};
    return path.parent_path() /
           fmt::format(".{}.{}-{}.part", path.filename().string(), ::getpid(), ++count);
}

/// Removes temporary files that killed writers of this name left; a living writer locks its file.
void removeLeftovers(const fs::path& path) {
    const std::string begin = "." + path.filename().string() + ".";
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin) || !name.ends_with(".part")) {
            continue;
        }
        const FileHandle part(
            ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (part.isOpen() && ::flock(part.get(), LOCK_EX | LOCK_NB) == 0) {
            ::unlink(entry.path().c_str());
        }
    }
}

/// Follows symbolic links to the final name, which need not exist yet.
fs::path targetOf(fs::path path) {
    const fs::path named = path;
    constexpr int mostLinks = 40; // the Linux kernel's limit
    std::error_code ignored;
    for (int links = 0; fs::is_symlink(path, ignored); ++links) {
        const fs::path target = fs::read_symlink(path, ignored);
        if (links == mostLinks || target.empty()) {
            throwFileError(named, "write", ELOOP);
        }
        path = path.parent_path() / target;
    }
    return path;
}

/// Refuses targets that a rename would destroy: folders, devices, pipes.
void refuseIfNoFile(const fs::path& path, const struct stat& facts) {
    if (S_ISDIR(facts.st_mode)) {
        throwFileError(path, "write", EISDIR);
    }
    if (!S_ISREG(facts.st_mode)) {
        throw Error(ErrorCode::file, Where{.file = path.string()},
                    "is a pipe or a device, but a regular file is needed",
                    "move it away, or choose another name");
    }
}

void writeAll(int descriptor, std::span<const std::byte> bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            throwFileError(path, "write", errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

} // namespace

// A symbolic link is kept and its target replaced. Other special files are written by `OutputFile`.
AtomicFile::AtomicFile(fs::path path) : path_(targetOf(std::move(path))) {
    struct stat old {};
    const bool isThere = ::stat(path_.c_str(), &old) == 0;
    if (isThere) {
        refuseIfNoFile(path_, old);
    }
    removeLeftovers(path_);
    openTemporaryFile();
    if (isThere) {
        ::fchmod(file_.get(), old.st_mode & 07777U);
    }
}

void AtomicFile::openTemporaryFile() {
    for (int attempt = 0; attempt < 100; ++attempt) {
        temporaryPath_ = besideName(path_);
        file_ = FileHandle(
            ::open(temporaryPath_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!file_.isOpen()) {
            if (errno == EEXIST) {
                continue;
            }
            throwFileError(path_, "write", errno);
        }
        // Between open and lock, another writer may have removed the file as a leftover; then it
        // has no name any more.
        struct stat now {};
        if (::flock(file_.get(), LOCK_SH | LOCK_NB) == 0 && ::fstat(file_.get(), &now) == 0 &&
            now.st_nlink > 0) {
            return;
        }
    }
    throwFileError(path_, "write", EEXIST);
}

AtomicFile::~AtomicFile() {
    if (file_.isOpen()) {
        ::unlink(temporaryPath_.c_str());
    }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    ensure(file_.isOpen(), "an AtomicFile is not written after commit");
    writeAll(file_.get(), bytes, path_);
    size_ += bytes.size();
}

void AtomicFile::commit() {
    ensure(file_.isOpen(), "an AtomicFile is committed only once");
    // Some network and memory file systems do not support fsync and return EINVAL.
    if (::fsync(file_.get()) != 0 && errno != EINVAL) {
        throwFileError(path_, "write", errno);
    }
    struct stat now {};
    if (::lstat(path_.c_str(), &now) == 0 && !S_ISLNK(now.st_mode)) {
        refuseIfNoFile(path_, now);
    }
    if (::rename(temporaryPath_.c_str(), path_.c_str()) != 0) {
        throwFileError(path_, "write", errno);
    }
    file_ = FileHandle();
    syncFolder(path_.parent_path());
}

void writeFileWhole(const fs::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void writeFileWhole(const fs::path& path, std::string_view text) {
    writeFileWhole(path, std::as_bytes(std::span(text)));
}

std::string readFile(const fs::path& path, std::size_t limit) {
    // O_NONBLOCK: opening a pipe must not block before it is refused.
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0) {
        throwFileError(path, "read", errno);
    }
    if (S_ISDIR(facts.st_mode)) {
        throwFileError(path, "read", EISDIR);
    }
    if (!S_ISREG(facts.st_mode)) {
        throw Error(ErrorCode::file, Where{.file = path.string()},
                    "is a pipe or a device, not a regular file", "name a regular file");
    }
    std::string text;
    const auto said = static_cast<std::size_t>(std::max<off_t>(facts.st_size, 0));
    text.resize(std::min(said, limit) + 1);
    std::size_t size = 0;
    while (size <= limit) {
        if (size == text.size()) {
            text.resize(std::min(2 * size, limit + 1));
        }
        const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
        if (got == 0) {
            text.resize(size);
            return text;
        }
        if (got < 0 && errno != EINTR) {
            throwFileError(path, "read", errno);
        }
        size += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    Where where;
    where.file = path.string();
    throw Error(ErrorCode::format, std::move(where),
                fmt::format("is longer than the {} bytes allowed", limit),
                "check that this is the right file");
}

void makeFolder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        throwFileError(path, "create the folder", error.value());
    }
}

void syncFolder(const fs::path& path) {
    const FileHandle folder(
        ::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen() || (::fsync(folder.get()) != 0 && errno != EINVAL)) {
        throwFileError(path, "sync the folder", errno);
    }
}

} // namespace weft
