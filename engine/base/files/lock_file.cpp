// SPDX-License-Identifier: Apache-2.0
#include "base/files/lock_file.h"

#include "base/process/waiting.h"

#include <fcntl.h>

#include <cerrno>
#include <thread>
#include <utility>

namespace weft {

namespace {

/// A lock of the open file description, released with its last descriptor.
struct flock wholeFile(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

} // namespace

FileHandle lockFile(const std::filesystem::path& path) {
    FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file.isOpen()) {
        throwFileError(path, "write", errno);
    }
    struct flock lock = wholeFile(F_WRLCK);
    return ::fcntl(file.get(), F_OFD_SETLK, &lock) == 0 ? std::move(file) : FileHandle();
}

FileHandle waitForLock(const std::filesystem::path& path, std::chrono::nanoseconds limit,
                       std::string_view holder) {
    const Deadline deadline(limit);
    FileHandle lock = lockFile(path);
    while (!lock.isOpen()) {
        if (deadline.hasPassed()) {
            throwTimeout(holder, limit);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        lock = lockFile(path);
    }
    return lock;
}

bool isLocked(const FileHandle& file) {
    struct flock asked = wholeFile(F_RDLCK);
    return ::fcntl(file.get(), F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

bool isLocked(const std::filesystem::path& path) {
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    return file.isOpen() && isLocked(file);
}

} // namespace weft
