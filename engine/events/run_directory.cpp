// SPDX-License-Identifier: Apache-2.0
#include "events/run_directory.h"

#include "base/files/lock_file.h"
#include "base/process/environment.h"
#include "base/text/json.h"
#include "events/log.h"
#include "events/mirror_status.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t oldBeat = 30; ///< seconds

fs::path lockPath(const fs::path& folder) { return folder / "lock"; }

/// Slurm keeps the job id when it requeues a job, and counts restarts.
std::string thisJob() { return fromEnvironment("SLURM_JOB_ID"); }

bool isFormerSelf(const RunLock& lock) {
    return !lock.job.empty() && lock.job == thisJob() &&
           !fromEnvironment("SLURM_RESTART_COUNT").empty();
}

Error heldError(const fs::path& folder, const RunLock& lock) {
    Where where;
    where.file = folder.string();
    return {ErrorCode::usage, std::move(where),
            fmt::format("this run is active in process {} on {}", lock.process, lock.host),
            "stop the run first (weft attach follows it)"};
}

FileHandle takeLockOf(const fs::path& folder) {
    FileHandle file = lockFile(lockPath(folder));
    if (!file.isOpen()) {
        throw heldError(folder, readRunLock(folder));
    }
    return file;
}

void writeLock(const fs::path& folder, const FileHandle& file, std::uint32_t attempt) {
    std::error_code isNew;
    const auto logBytesAtBegin = fs::file_size(logPath(folder, 0), isNew);
    std::string text = jsonText(Json{{"process", ::getpid()},
                                     {"host", hostName()},
                                     {"attempt", attempt},
                                     {"job", thisJob()},
                                     {"log", isNew ? 0 : logBytesAtBegin}});
    // Written in place, because the lock is on this file, and in one call of fixed length, so that
    // a kill leaves the old or the new text.
    text.resize(std::max<std::size_t>(text.size(), 400), ' ');
    if (::pwrite(file.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
        throwFileError(lockPath(folder), "write", errno);
    }
}

void makeControl(const fs::path& folder) {
    const fs::path control = folder / "control";
    std::error_code ignored;
    fs::remove_all(control, ignored); // left by a lost attempt
    if (::mkdir(control.c_str(), 0700) != 0) {
        throwFileError(control, "create the folder", errno);
    }
}

/// Keeps only characters that are safe in every file system and shell.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name.substr(0, 60)) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                             (c == '.' && !plain.empty());
        plain += isPlain ? c : '-';
    }
    return plain.empty() ? "run" : plain;
}

std::string timeName() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:%Y-%m-%d_%H%M%S}", parts);
}

} // namespace

RunDirectory::RunDirectory(fs::path folder, FileHandle lock, std::uint32_t attempt)
    : folder_(std::move(folder)), lock_(std::move(lock)), attempt_(attempt) {}

RunDirectory::~RunDirectory() {
    if (lock_.isOpen() && isOurs()) {
        std::error_code ignored;
        fs::remove_all(control(), ignored);
    }
}

std::string newRunName(std::string_view design) { return timeName() + "_" + plainName(design); }

RunDirectory RunDirectory::create(const fs::path& parent, std::string_view name) {
    makeFolder(parent);
    const std::string begin = newRunName(name);
    for (int count = 1;; ++count) {
        fs::path folder = parent / (count == 1 ? begin : fmt::format("{}-{}", begin, count));
        if (::mkdir(folder.c_str(), 0777) == 0) {
            return createAt(folder);
        }
        if (errno != EEXIST) {
            throwFileError(folder, "create the folder", errno);
        }
    }
}

RunDirectory RunDirectory::createAt(const fs::path& folder) {
    makeFolder(folder);
    if (!fs::is_empty(folder)) {
        Where where;
        where.file = folder.string();
        throw Error(ErrorCode::usage, std::move(where), "this folder is not empty",
                    "resume the run in the folder, or name another folder");
    }
    FileHandle lock = takeLockOf(folder);
    writeLock(folder, lock, 1);
    for (const char* part : {"checkpoints", "tensors"}) {
        makeFolder(folder / part);
    }
    makeControl(folder);
    syncFolder(folder);
    return {folder, std::move(lock), 1};
}

RunReservation RunDirectory::reserve(const fs::path& folder) {
    const RunLock before = readRunLock(folder);
    if (before.remoteState) {
        Where where;
        where.file = folder.string();
        throw Error(ErrorCode::usage, std::move(where),
                    fmt::format("is a copy of a run on {}", before.host),
                    fmt::format("resume on the host: weft resume {}:{}; or on this machine, as a "
                                "new run: weft resume {}",
                                before.host, folder.filename().string(), folder.string()));
    }
    if (before.isHeld && !isFormerSelf(before)) {
        throw heldError(folder, before);
    }
    std::error_code none;
    if (before.attempt == 0 || !fs::exists(folder / "design.weft", none)) {
        Where where;
        where.file = folder.string();
        throw Error(ErrorCode::file, std::move(where), "is not a run directory",
                    "name a run that weft runs lists");
    }
    if (before.isHeld) {
        std::error_code ignored;
        fs::remove(lockPath(folder), ignored); // the former process keeps a lock on the removed
                                               // file
    }
    RunReservation held{folder, takeLockOf(folder), before.attempt};
    if (before.isHeld) {
        writeLock(folder, held.lock, held.attempt);
    }
    return held;
}

RunDirectory RunDirectory::resume(RunReservation held) {
    const fs::path& folder = held.folder;
    writeLock(folder, held.lock, held.attempt + 1);
    for (const char* part : {"checkpoints", "tensors"}) {
        makeFolder(folder / part);
    }
    makeControl(folder);
    return {folder, std::move(held.lock), held.attempt + 1};
}

void RunDirectory::beat() { ::futimens(lock_.get(), nullptr); }

bool RunDirectory::isOurs() const {
    struct stat held {};
    struct stat there {};
    // A folder that vanished was not taken over.
    const bool isThere = ::stat(lockPath(folder_).c_str(), &there) == 0;
    return !isThere || ::fstat(lock_.get(), &held) != 0 ||
           (held.st_ino == there.st_ino && held.st_dev == there.st_dev);
}

RunLock readRunLock(const fs::path& folder) {
    RunLock lock;
    if (const auto word = readMirrorStatus(folder)) {
        lock.remoteState = stateOf(*word);
        lock.isHeld = lock.remoteState == RunState::living;
        lock.attempt = word->attempt;
        lock.host = word->host;
        lock.why = whyOf(*word);
        return lock;
    }
    const fs::path path = lockPath(folder);
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0) {
        return lock;
    }
    try {
        const Json said = readJsonFile(path, {.bytes = 4096, .depth = 4});
        lock.attempt = said.value("attempt", std::uint32_t{0});
        lock.process = said.value("process", std::int64_t{0});
        lock.host = said.value("host", std::string());
        lock.job = said.value("job", std::string());
        lock.logBytesAtBegin = said.value("log", std::uint64_t{0});
    } catch (const std::exception&) {
        // Killed between creating and writing the file: the run never began.
        lock.attempt = 0;
    }
    if (isLocked(file)) {
        lock.isHeld = true;
    } else if (!lock.host.empty() && lock.host != hostName()) {
        lock.isHeld = std::time(nullptr) - facts.st_mtime < oldBeat;
    }
    return lock;
}

void removeControlOfDeadRun(const fs::path& folder) {
    if (!folder.empty() && !readRunLock(folder).isHeld) {
        std::error_code ignored;
        fs::remove_all(folder / "control", ignored);
    }
}

} // namespace weft
