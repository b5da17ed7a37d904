// SPDX-License-Identifier: Apache-2.0
#include "remote/mirror/run_stream.h"

#include "base/hash.h"
#include "events/log.h"
#include <weft/error.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <span>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largestPiece = std::uint64_t{1} << 20U;
constexpr const char* designName = "design.weft";
constexpr std::size_t readAtOnce = std::size_t{256} << 10U;

FileHandle openRegular(const fs::path& path, struct stat& facts) {
    FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    if (!file.isOpen() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return {};
    }
    return file;
}

bool hasFrames(FileGrowth growth) {
    return growth == FileGrowth::frames || growth == FileGrowth::segment;
}

std::string bytesOf(const FileHandle& file, const fs::path& path, std::uint64_t begin,
                    std::uint64_t size) {
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::pread(file.get(), bytes.data() + filled, bytes.size() - filled,
                                    static_cast<off_t>(begin + filled));
        if (got < 0 && errno != EINTR) {
            throwFileError(path, "read", errno);
        }
        if (got == 0) {
            break; // the file was truncated meanwhile
        }
        filled += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    bytes.resize(filled);
    return bytes;
}

/// Returns the names in a folder in order; empty if it cannot be read.
std::vector<std::string> namesIn(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

/// Returns a number that differs if the content or the file differs. Never 0.
std::uint64_t versionOf(const struct stat& facts) {
    const std::array<std::uint64_t, 4> words{static_cast<std::uint64_t>(facts.st_ino),
                                             static_cast<std::uint64_t>(facts.st_size),
                                             static_cast<std::uint64_t>(facts.st_mtim.tv_sec),
                                             static_cast<std::uint64_t>(facts.st_mtim.tv_nsec)};
    return std::max<std::uint64_t>(1, hash64(std::as_bytes(std::span(words))));
}

std::string segmentName(int rank, std::uint32_t number) {
    const fs::path folder = spansPath({}, rank);
    return segmentPath(folder, number).string();
}

} // namespace

RunStream::RunStream(fs::path run, fs::path job, std::vector<HeldFile> held, bool withSpans)
    : run_(std::move(run)), job_(std::move(job)), withSpans_(withSpans) {
    for (HeldFile& one : held) {
        if (one.version != 0) {
            std::string path = one.path;
            coming_.insert_or_assign(std::move(path), std::move(one));
            continue;
        }
        if (const auto file = mirroredFile(one.path); file && file->growth == FileGrowth::segment) {
            segments_[file->rank].insert(file->number);
        }
        std::string path = one.path;
        held_.insert_or_assign(std::move(path), std::move(one));
    }
}

RunStream::~RunStream() = default;
RunStream::RunStream(RunStream&&) noexcept = default;

void RunStream::ask(const std::string& path, const std::optional<HeldFile>& held) {
    const auto file = mirroredFile(path);
    struct stat facts {};
    if (!file || file->growth != FileGrowth::asked || !openRegular(run_ / path, facts).isOpen()) {
        Where where;
        where.file = path;
        throw Error(ErrorCode::file, std::move(where),
                    "the run does not have this file, or no longer has it",
                    "name a file that the run lists");
    }
    sent_.erase(path);
    coming_.erase(path);
    if (held) {
        coming_.emplace(path, *held);
    }
    asked_.push_back(path);
}

std::optional<FilePart> RunStream::next() {
    if (auto part = nextUrgent()) {
        return part;
    }
    auto part = withSpans_ ? nextSpans() : std::nullopt;
    return part ? std::move(part) : nextAsked();
}

std::optional<FilePart> RunStream::nextUrgent() {
    std::vector<std::string> names = namesIn(run_);
    if (std::ranges::find(names, designName) == names.end()) {
        names.emplace_back(designName);
    }
    for (const FileGrowth growth : {FileGrowth::whole, FileGrowth::frames, FileGrowth::lines}) {
        if (auto part = nextOf(growth, names)) {
            return part;
        }
    }
    return std::nullopt;
}

std::optional<FilePart> RunStream::nextAsked() {
    if (asked_.empty()) {
        return std::nullopt;
    }
    const std::string path = asked_.front();
    FilePart part =
        pieceOf(path, FileGrowth::asked, false).value_or(FilePart{.path = path, .isGone = true});
    if (part.isWhole || part.isGone) {
        asked_.pop_front();
        sent_.erase(path);
    }
    return part;
}

std::optional<FilePart> RunStream::nextSpans() {
    for (const std::string& name : namesIn(run_)) {
        // Any segment name tells whether the folder belongs to a rank.
        const auto file = mirroredFile(name + "/1.weftlog");
        if (file && file->growth == FileGrowth::segment) {
            if (auto part = nextOfSpans(file->rank)) {
                return part;
            }
        }
    }
    return std::nullopt;
}

fs::path RunStream::filePathOf(const std::string& path) const {
    struct stat facts {};
    const bool isOfJob = path == designName && ::lstat((run_ / path).c_str(), &facts) != 0;
    return (isOfJob ? job_ : run_) / path;
}

std::optional<FilePart> RunStream::nextOf(FileGrowth growth,
                                          const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto file = mirroredFile(name);
        if (file && file->growth == growth) {
            if (auto part = pieceOf(name, growth, true)) {
                return part;
            }
        }
    }
    return std::nullopt;
}

std::optional<FilePart> RunStream::nextOfSpans(int rank) {
    std::set<std::uint32_t> there;
    for (const std::string& name : namesIn(spansPath(run_, rank))) {
        const auto file = mirroredFile(spansPath({}, rank).string() + '/' + name);
        if (file && file->growth == FileGrowth::segment) {
            there.insert(file->number);
        }
    }
    constexpr std::ptrdiff_t nearest = 2;
    const auto near = std::prev(there.end(), std::min(nearest, std::ssize(there)));
    for (const std::uint32_t number : there) {
        const std::string path = segmentName(rank, number);
        if (skipsOldSpans_ && near != there.end() && number < *near && !sent_.contains(path)) {
            continue;
        }
        if (auto part = pieceOf(path, FileGrowth::segment, number == *there.rbegin())) {
            segments_[rank].insert(number);
            return part;
        }
    }
    // A segment that was merged into another is removed after that one has been sent.
    auto& held = segments_[rank];
    const auto gone =
        std::ranges::find_if(held, [&](std::uint32_t number) { return !there.contains(number); });
    if (gone == held.end()) {
        return std::nullopt;
    }
    FilePart part{.path = segmentName(rank, *gone), .isGone = true};
    sent_.erase(part.path);
    held.erase(gone);
    return part;
}

bool RunStream::open(const std::string& path, FileGrowth growth, Sent& sent, bool mayGrow) {
    struct stat facts {};
    FileHandle file = openRegular(filePathOf(path), facts);
    if (!file.isOpen()) {
        return false;
    }
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    const bool wasSent = sent.inode != 0;
    const auto known = held_.find(path);
    sent = {.inode = facts.st_ino};
    if (hasFrames(growth)) {
        sent.frames = std::make_unique<FrameFile>(filePathOf(path), std::move(file), readAtOnce);
    } else {
        sent.plain = std::move(file);
    }
    const bool isWhole = growth == FileGrowth::whole || growth == FileGrowth::asked;
    const bool isHeld = !wasSent && known != held_.end() && known->second.bytes <= size &&
                        (!isWhole || known->second.bytes == size) &&
                        tailHash(sent.file(), known->second.bytes) == known->second.tail;
    if (isHeld) {
        sent.bytes = known->second.bytes;
        sent.ready = sent.bytes;
        if (sent.frames) {
            sent.frames->seek(std::min(sent.bytes, known->second.whole));
        }
    } else {
        sent.isRestarted = isWhole || wasSent || known != held_.end();
        sent.replaces = isWhole || (sent.isRestarted && growth == FileGrowth::segment && !mayGrow);
        sent.ready = isWhole ? size : 0;
        sent.version = sent.replaces ? versionOf(facts) : 0;
        continuePieces(path, sent, size);
    }
    return true;
}

void RunStream::continuePieces(const std::string& path, Sent& sent, std::uint64_t size) const {
    const auto found = coming_.find(path);
    if (sent.replaces && found != coming_.end() && found->second.version == sent.version &&
        found->second.bytes <= size) {
        sent.bytes = found->second.bytes;
        sent.isRestarted = false;
    }
}

void RunStream::findReady(FileGrowth growth, Sent& sent) const {
    if (hasFrames(growth)) {
        while (sent.ready < sent.bytes + largestPiece && sent.frames->next()) {
            sent.ready = std::max(sent.bytes, sent.frames->position());
        }
    } else if (growth == FileGrowth::lines) {
        const std::string bytes = bytesOf(sent.plain, run_, sent.bytes, largestPiece);
        const std::size_t end = bytes.rfind('\n');
        sent.ready = sent.bytes + (end == std::string::npos ? 0 : end + 1);
    }
}

FilePart RunStream::take(const std::string& path, Sent& sent) const {
    const std::uint64_t size = std::min(sent.ready - sent.bytes, largestPiece);
    FilePart part{.path = path,
                  .offset = sent.bytes,
                  .isRestarted = sent.isRestarted,
                  .isReplacing = sent.replaces,
                  .version = sent.version,
                  .bytes = bytesOf(sent.file(), filePathOf(path), sent.bytes, size)};
    if (part.bytes.size() < size) {
        throwFileError(filePathOf(path), "read", EIO);
    }
    sent.bytes += size;
    sent.isRestarted = false;
    part.isWhole = sent.replaces && sent.bytes == sent.ready;
    sent.replaces = sent.replaces && !part.isWhole;
    return part;
}

std::optional<FilePart> RunStream::pieceOf(const std::string& path, FileGrowth growth,
                                           bool mayGrow) {
    struct stat facts {};
    if (::lstat(filePathOf(path).c_str(), &facts) != 0) {
        return std::nullopt;
    }
    Sent& sent = sent_[path];
    // Another file took the place of this one, or this one is now shorter than what was sent.
    const bool isOther =
        sent.inode != facts.st_ino || static_cast<std::uint64_t>(facts.st_size) < sent.bytes;
    if (isOther && !open(path, growth, sent, mayGrow)) {
        return std::nullopt;
    }
    if (!sent.file().isOpen()) {
        return std::nullopt; // the file was sent completely
    }
    if (sent.bytes == sent.ready) {
        findReady(growth, sent);
    }
    // A replacing file is sent as a whole, so its end must be known before its last piece.
    if (sent.replaces && growth == FileGrowth::segment) {
        while (sent.frames->next()) {
        }
        sent.ready = std::max(sent.bytes, sent.frames->position());
    }
    // A replacing file needs a last piece, even an empty one.
    const bool hasNews = sent.bytes < sent.ready || sent.replaces;
    if (!hasNews && growth == FileGrowth::segment && !mayGrow) {
        sent.frames.reset(); // completed segments are closed, since there may be many
    }
    return hasNews ? std::optional(take(path, sent)) : std::nullopt;
}

} // namespace weft
