// SPDX-License-Identifier: Apache-2.0
#include "events/frame.h"

#include "base/hash.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace weft {

namespace {

struct FrameHeader {
    std::uint32_t magic;
    std::uint32_t length;
    std::uint64_t checksum;
};
static_assert(sizeof(FrameHeader) == frameHeaderSize);

// The checksum also covers the length, as its seed.
std::uint64_t checksumOf(std::span<const std::byte> content) {
    return hash64(content, content.size());
}

// Bytes that searches for a frame may hash, which bounds them in a file with many false headers.
constexpr std::size_t searchLimit = std::size_t{256} << 20U;

void appendFrame(std::vector<std::byte>& out, std::span<const std::byte> content) {
    const FrameHeader header{frameMagic, static_cast<std::uint32_t>(content.size()),
                             checksumOf(content)};
    const auto bytes = std::as_bytes(std::span(&header, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.insert(out.end(), content.begin(), content.end());
}

} // namespace

void appendFrames(std::vector<std::byte>& out, std::span<const std::byte> events) {
    while (!events.empty()) {
        std::span<const std::byte> rest = events;
        std::size_t size = 0;
        while (!rest.empty()) {
            const std::size_t before = rest.size();
            static_cast<void>(takeEvent(rest));
            if (size > 0 && events.size() - rest.size() > largestFrame) {
                break;
            }
            size += before - rest.size();
        }
        appendFrame(out, events.first(size));
        events = events.subspan(size);
    }
}

EventView takeEvent(std::span<const std::byte>& events) {
    EventView event{};
    if (events.size() >= eventSize) {
        event.bytes = events.first(eventSize);
        std::memcpy(&event.head, events.data(), sizeof(EventHead));
        const std::size_t whole = eventSize + paddedSize(event.head.payload);
        if (events.size() >= whole) {
            event.payload = events.subspan(eventSize, event.head.payload);
            events = events.subspan(whole);
            return event;
        }
    }
    throw Error(ErrorCode::format, {}, "a record of the log is longer than its length field says",
                "the log is damaged, or was written by another program: move it away");
}

FrameFile::FrameFile(std::filesystem::path path, std::size_t chunk)
    : FrameFile(path, FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), chunk) {}

FrameFile::FrameFile(std::filesystem::path path, FileHandle file, std::size_t chunk)
    : path_(std::move(path)), file_(std::move(file)), chunk_(chunk), searchLeft_(searchLimit) {
    struct stat facts {};
    if (!file_.isOpen() || ::fstat(file_.get(), &facts) != 0) {
        throwFileError(path_, "read", errno);
    }
    if (!S_ISREG(facts.st_mode)) {
        throwFileError(path_, "read", EINVAL);
    }
}

bool FrameFile::load(std::uint64_t begin, std::size_t size) {
    if (begin >= begin_ && begin + size <= begin_ + buffer_.size()) {
        return true;
    }
    const auto keep = begin >= begin_ && begin < begin_ + buffer_.size()
                          ? static_cast<std::size_t>(begin_ + buffer_.size() - begin)
                          : 0;
    buffer_.erase(buffer_.begin(), buffer_.end() - static_cast<std::ptrdiff_t>(keep));
    begin_ = begin;
    std::size_t filled = keep;
    buffer_.resize(std::max(size, filled + chunk_));
    while (filled < size) {
        const ssize_t got = ::pread(file_.get(), buffer_.data() + filled, buffer_.size() - filled,
                                    static_cast<off_t>(begin_ + filled));
        if (got < 0 && errno != EINTR) {
            throwFileError(path_, "read", errno);
        }
        if (got == 0) {
            break;
        }
        filled += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    buffer_.resize(filled);
    return filled >= size;
}

std::optional<std::size_t> FrameFile::frameLengthAt(std::uint64_t offset) {
    if (!load(offset, frameHeaderSize)) {
        return std::nullopt;
    }
    FrameHeader header;
    std::memcpy(&header, bytesAt(offset), sizeof(header));
    // A frame of one event with a large payload may exceed the usual size.
    if (header.magic != frameMagic || header.length < eventSize ||
        header.length > 2 * largestFrame || header.length % 8 != 0 ||
        !load(offset, frameHeaderSize + header.length)) {
        return std::nullopt;
    }
    const std::span content(bytesAt(offset + frameHeaderSize), header.length);
    if (checksumOf(content) != header.checksum) {
        searchLeft_ -= std::min<std::size_t>(searchLeft_, header.length);
        return std::nullopt;
    }
    return header.length;
}

bool FrameFile::skipDamage() {
    struct stat facts {};
    if (::fstat(file_.get(), &facts) != 0) {
        throwFileError(path_, "read", errno);
    }
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    if (size == searched_ || size < position_) {
        return false;
    }
    for (std::uint64_t offset = position_ + 8;
         offset + frameHeaderSize + eventSize <= size && searchLeft_ > 0; offset += 8) {
        if (frameLengthAt(offset)) {
            // Both frames may have been written since the first check.
            buffer_.clear();
            if (!frameLengthAt(position_)) {
                skipped_ += offset - position_;
                position_ = offset;
            }
            return true;
        }
    }
    searched_ = size;
    return false;
}

void FrameFile::seek(std::uint64_t offset) {
    position_ = offset / 8 * 8;
    searched_ = 0;
    if (!frameLengthAt(position_) && load(position_, 1)) {
        const std::uint64_t before = skipped_;
        static_cast<void>(skipDamage());
        skipped_ = before;
    }
}

std::optional<std::span<const std::byte>> FrameFile::next() {
    std::optional<std::size_t> length = frameLengthAt(position_);
    if (!length) {
        // An unfinished frame may have been cut and rewritten since it was read.
        buffer_.clear();
        length = frameLengthAt(position_);
    }
    if (!length && load(position_, 1) && skipDamage()) {
        length = frameLengthAt(position_);
    }
    if (!length) {
        return std::nullopt;
    }
    const std::span content(bytesAt(position_ + frameHeaderSize), *length);
    position_ += frameHeaderSize + *length;
    return content;
}

} // namespace weft
