// SPDX-License-Identifier: Apache-2.0
#include "base/files/output_file.h"

#include "base/process/waiting.h"
#include <weft/error.h>
#include <weft/output_file.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// A pipe's reader may start at the same time as this program.
constexpr std::chrono::seconds readerLimit{3};
/// A reader or device that accepts nothing for this long counts as dead.
constexpr std::chrono::seconds progressLimit{60};

/// Returns the descriptor of this process that the path leads to, such as 1 for /dev/stdout and 63
/// for bash's >(...); -1 for other paths.
int ownDescriptor(const fs::path& path) {
    std::error_code error;
    const fs::path descriptors = fs::canonical("/proc/self/fd", error);
    fs::path step = path;
    constexpr int mostLinks = 40; // the Linux kernel's limit
    for (int links = 0; !error && links < mostLinks; ++links) {
        const fs::path folder =
            fs::canonical(step.has_parent_path() ? step.parent_path() : fs::path("."), error);
        if (!error && folder == descriptors) {
            const std::string name = step.filename().string();
            int number = -1;
            const auto [end, fault] =
                std::from_chars(name.data(), name.data() + name.size(), number);
            return fault == std::errc() && end == name.data() + name.size() ? number : -1;
        }
        if (error || !fs::is_symlink(step, error)) {
            return -1;
        }
        const fs::path target = fs::read_symlink(step, error);
        step = folder / target;
    }
    return -1;
}

/// Opens a device, or a pipe that has or soon gets a reader.
FileHandle openInPlace(const fs::path& path, bool isPipe) {
    const Deadline deadline(readerLimit);
    for (;;) {
        FileHandle file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        if (file.isOpen()) {
            return file;
        }
        if (errno != ENXIO || !isPipe) {
            throwFileError(path, "write", errno);
        }
        if (deadline.hasPassed()) {
            throw Error(ErrorCode::file, Where{.file = path.string()},
                        fmt::format("is a pipe that no process has opened for reading within {} s",
                                    readerLimit.count()),
                        "start its reader first, or name a file");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

/// While this object lives, a write to a pipe without a reader fails with EPIPE instead of ending
/// the process.
class BrokenPipeAsError {
public:
    BrokenPipeAsError() {
        sigemptyset(&broken_);
        sigaddset(&broken_, SIGPIPE);
        sigset_t waiting;
        sigemptyset(&waiting);
        sigpending(&waiting);
        wasPending_ = sigismember(&waiting, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &broken_, &before_);
    }
    ~BrokenPipeAsError() {
        const timespec atOnce{};
        while (!wasPending_ && sigtimedwait(&broken_, nullptr, &atOnce) == SIGPIPE) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    BrokenPipeAsError(const BrokenPipeAsError&) = delete;
    BrokenPipeAsError& operator=(const BrokenPipeAsError&) = delete;

private:
    sigset_t broken_{};
    sigset_t before_{};
    bool wasPending_ = false;
};

void writeInPlace(int descriptor, std::span<const std::byte> bytes, const fs::path& path) {
    const BrokenPipeAsError guard;
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EAGAIN) {
            pollfd room{descriptor, POLLOUT, 0};
            constexpr auto limit = std::chrono::milliseconds(progressLimit).count();
            if (::poll(&room, 1, static_cast<int>(limit)) == 0) {
                throw Error(
                    ErrorCode::file, Where{.file = path.string()},
                    fmt::format("the process that reads the pipe has accepted no data for {} s",
                                progressLimit.count()),
                    "check why that process does not read, or name a file");
            }
            continue;
        }
        if (written < 0 && errno != EINTR) {
            throwFileError(path, "write", errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

} // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
    if (const int own = ownDescriptor(path_); own >= 0) {
        // A duplicate, which continues at the descriptor's file position.
        deviceOrPipe_ = FileHandle(::fcntl(own, F_DUPFD_CLOEXEC, 0));
        if (!deviceOrPipe_.isOpen()) {
            throwFileError(path_, "write", errno);
        }
        return;
    }
    struct stat facts {};
    const bool isThere = ::stat(path_.c_str(), &facts) == 0;
    if (!isThere || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) {
        atomicFile_.emplace(path_); // AtomicFile refuses folders
        return;
    }
    if (S_ISSOCK(facts.st_mode)) {
        throw Error(ErrorCode::file, Where{.file = path_.string()},
                    "is a socket, which cannot be written as a file", "name a file");
    }
    deviceOrPipe_ = openInPlace(path_, S_ISFIFO(facts.st_mode));
    if (::fstat(deviceOrPipe_.get(), &facts) != 0 || S_ISREG(facts.st_mode)) {
        throwFileError(path_, "write", EBUSY); // meanwhile replaced by a file
    }
}

void OutputFile::write(std::span<const std::byte> bytes) {
    if (atomicFile_) {
        atomicFile_->write(bytes);
        return;
    }
    ensure(deviceOrPipe_.isOpen(), "an OutputFile is not written after commit");
    writeInPlace(deviceOrPipe_.get(), bytes, path_);
}

void OutputFile::commit() {
    if (atomicFile_) {
        atomicFile_->commit();
        return;
    }
    ensure(deviceOrPipe_.isOpen(), "an OutputFile is committed once");
    struct stat facts {};
    const bool isStored = ::fstat(deviceOrPipe_.get(), &facts) == 0 &&
                          (S_ISREG(facts.st_mode) || S_ISBLK(facts.st_mode));
    if (isStored && ::fsync(deviceOrPipe_.get()) != 0 && errno != EINVAL) {
        throwFileError(path_, "write", errno);
    }
    deviceOrPipe_ = FileHandle();
}

void writeOutput(const fs::path& path, std::string_view content) {
    OutputFile file(path);
    file.write(content);
    file.commit();
}

} // namespace weft
