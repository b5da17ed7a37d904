// SPDX-License-Identifier: Apache-2.0
#pragma once
// The file format of events: frames {magic, length, checksum of the content} of whole events,
// aligned to 8 bytes. If a writer dies, the last frame may be torn; readers see all frames before
// it.

#include "base/files/files.h"
#include <weft/events.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace weft {

inline constexpr std::uint32_t frameMagic = 0x31544657; // "WFT1"
inline constexpr std::size_t frameHeaderSize = 16;
inline constexpr std::size_t largestFrame = std::size_t{1} << 20U; ///< bytes of content

/// Payloads are padded with zeros to a multiple of 8 bytes.
[[nodiscard]] constexpr std::size_t paddedSize(std::size_t payload) { ///< multiple of 8 bytes
    return (payload + 7) / 8 * 8;
}

/// Appends `events` as frames; splits between events to keep frames small enough.
void appendFrames(std::vector<std::byte>& out, std::span<const std::byte> events); ///< to `out`

/// A view of one event in memory that others own.
struct EventView {
    EventHead head;
    std::span<const std::byte> bytes;   ///< eventSize bytes, including the head
    std::span<const std::byte> payload; ///< without padding

    template <class T>
    [[nodiscard]] T as() const {
        static_assert(sizeof(T) == eventSize && std::is_trivially_copyable_v<T>);
        T event;
        std::memcpy(&event, bytes.data(), sizeof(T));
        return event;
    }
    [[nodiscard]] std::string_view text() const {
        return {reinterpret_cast<const char*>(payload.data()), payload.size()};
    }
};

/// Removes the first event from `events`. Throws Error{format} if the event is longer than the
/// rest.
[[nodiscard]] EventView takeEvent(std::span<const std::byte>& events);

/// Reads the frames of a file that may still grow.
class FrameFile {
public:
    /// `chunk`: bytes per read.
    explicit FrameFile(std::filesystem::path path, std::size_t chunk = std::size_t{256} << 10U);
    /// Reads frames from an open file; `path` names the file in errors.
    FrameFile(std::filesystem::path path, FileHandle file, std::size_t chunk);

    /// Returns the content of the next whole frame, valid until the next call, or nothing if there
    /// is none yet. Skips damage if a whole frame follows.
    [[nodiscard]] std::optional<std::span<const std::byte>> next(); ///< none: not complete yet
    [[nodiscard]] const FileHandle& file() const { return file_; }
    /// Offset after the last frame that was read.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Continues at the first whole frame from `offset`; the skipped bytes do not count as damage.
    void seek(std::uint64_t offset); ///< continues at the first whole frame from there
    /// Number of damaged bytes that were skipped.
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; } ///< damaged bytes

private:
    [[nodiscard]] bool load(std::uint64_t begin, std::size_t size);
    [[nodiscard]] const std::byte* bytesAt(std::uint64_t offset) const {
        return buffer_.data() + (offset - begin_);
    }
    [[nodiscard]] std::optional<std::size_t> frameLengthAt(std::uint64_t offset);
    [[nodiscard]] bool skipDamage(); ///< true: a later frame was found

    std::filesystem::path path_;
    FileHandle file_;
    std::size_t chunk_;             ///< bytes per read
    std::vector<std::byte> buffer_; ///< a part of the file
    std::uint64_t begin_ = 0;       ///< offset of the buffer in the file
    std::uint64_t position_ = 0;    ///< offset in the file after the last frame read
    std::uint64_t skipped_ = 0;     ///< damaged bytes
    std::uint64_t searched_ = 0;    ///< size of the file at the last failed search for a frame
    std::size_t searchLeft_;        ///< bytes that searches may still hash
};

} // namespace weft
