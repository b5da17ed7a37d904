// SPDX-License-Identifier: Apache-2.0
#include "remote/mirror/mirror.h"

#include "base/process/wall_clock.h"
#include "events/frame.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throwStrange(const fs::path& folder, const FilePart& part, const char* what) {
    Where where;
    where.file = (folder / part.path).string();
    throw Error(ErrorCode::format, std::move(where), what,
                "request the file again: the copy then starts from the beginning");
}

FileHandle openToWrite(const fs::path& path) {
    FileHandle file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!file.isOpen()) {
        throwFileError(path, "write", errno);
    }
    return file;
}

std::uint64_t sizeOf(const FileHandle& file) {
    struct stat facts {};
    return ::fstat(file.get(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

/// Returns the end of the last complete frame or line.
std::uint64_t wholeBytes(const fs::path& path, FileGrowth growth, const FileHandle& file) {
    const std::uint64_t size = sizeOf(file);
    if (growth == FileGrowth::frames || growth == FileGrowth::segment) {
        FrameFile frames(path);
        while (frames.next()) {
        }
        return frames.position();
    }
    if (growth != FileGrowth::lines) {
        return size;
    }
    std::array<char, 4096> part{};
    for (std::uint64_t end = size; end > 0;) {
        const std::uint64_t begin = end - std::min<std::uint64_t>(end, part.size());
        const ssize_t got =
            ::pread(file.get(), part.data(), end - begin, static_cast<off_t>(begin));
        if (got != static_cast<ssize_t>(end - begin)) {
            return 0;
        }
        const std::size_t found =
            std::string_view(part.data(), static_cast<std::size_t>(got)).rfind('\n');
        if (found != std::string_view::npos) {
            return begin + found + 1;
        }
        end = begin;
    }
    return 0;
}

} // namespace

Mirror::Mirror(fs::path folder, FileHandle lock)
    : folder_(std::move(folder)), lock_(std::move(lock)), coming_(folder_) {}

std::optional<Mirror> Mirror::open(const fs::path& folder, std::string_view host,
                                   std::string_view run) {
    makeFolder(folder);
    FileHandle lock = holdMirror(folder);
    if (!lock.isOpen()) {
        return std::nullopt;
    }
    Mirror mirror(folder, std::move(lock));
    mirror.cutTornEnds();
    MirrorStatus status = readMirrorStatus(folder).value_or(MirrorStatus{});
    status.host = host;
    status.run = run;
    mirror.setStatus(std::move(status));
    return mirror;
}

Mirror::~Mirror() {
    if (!lock_.isOpen()) {
        return; // this object was moved from
    }
    try {
        if (status_.isUp) {
            MirrorStatus last = status_;
            last.isUp = false;
            last.why = "no process follows the run from this machine";
            last.since = unixSeconds();
            setStatus(last);
        }
    } catch (const std::exception&) {
        // Without the lock, readers ignore its state anyway.
    }
}

void Mirror::cutTornEnds() const {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder_, ignored)) {
        const auto file = mirroredFile(entry.path().lexically_relative(folder_).generic_string());
        if (!file || file->growth == FileGrowth::asked || !entry.is_regular_file(ignored)) {
            continue;
        }
        const FileHandle open = openToWrite(entry.path());
        const std::uint64_t bytes = wholeBytes(entry.path(), file->growth, open);
        if (bytes < sizeOf(open) && ::ftruncate(open.get(), static_cast<off_t>(bytes)) != 0) {
            throwFileError(entry.path(), "write", errno);
        }
    }
}

std::vector<HeldFile> Mirror::held() const {
    std::vector<HeldFile> held = coming_.held();
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder_, ignored)) {
        const std::string path = entry.path().lexically_relative(folder_).generic_string();
        const auto file = mirroredFile(path);
        if (!file || file->growth == FileGrowth::asked || !entry.is_regular_file(ignored)) {
            continue;
        }
        const FileHandle open = openToWrite(entry.path());
        const std::uint64_t bytes = sizeOf(open);
        const std::uint64_t whole = std::min(bytes, wholeBytes(entry.path(), file->growth, open));
        held.push_back(
            {.path = path, .bytes = bytes, .tail = tailHash(open, bytes), .whole = whole});
    }
    return held;
}

void Mirror::removeIfEmpty() const {
    if (held().empty()) {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
}

void Mirror::take(const FilePart& part) {
    const auto file = mirroredFile(part.path);
    if (!file) {
        throwStrange(folder_, part, "the host sent a file that a run cannot have");
    }
    const fs::path path = folder_ / part.path;
    if (part.isGone) {
        if (file->growth != FileGrowth::segment) {
            throwStrange(folder_, part, "the host reports a missing file that a run never deletes");
        }
        std::error_code ignored;
        fs::remove(path, ignored);
        return;
    }
    part.isReplacing ? coming_.take(part) : writePart(part, path);
}

void Mirror::takeRequested(const fs::path& folder, ComingFiles& coming, const FilePart& part) {
    const auto file = mirroredFile(part.path);
    if (!file || file->growth != FileGrowth::asked || !part.isReplacing || part.isGone) {
        throwStrange(folder, part, "the host sent a file that was not requested");
    }
    coming.take(part);
}

void Mirror::setStatus(MirrorStatus status) {
    if (status != status_) {
        writeMirrorStatus(folder_, status);
        status_ = std::move(status);
    }
}

} // namespace weft
