// SPDX-License-Identifier: Apache-2.0
#pragma once
// How events lie in a file: frames {magic, length, checksum of the content}, each holding whole
// events, each beginning on 8 bytes. A writer that dies leaves a torn last frame; a reader sees
// every frame before it and cuts it.

#include "base/files.h"
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
inline constexpr std::size_t largestFrame = std::size_t{1} << 20U; ///< of content

/// Payloads are followed by zeros to the next 8 bytes.
[[nodiscard]] constexpr std::size_t paddedSize(std::size_t payload) {
    return (payload + 7) / 8 * 8;
}

/// Appends frames holding all of `events`, cut between events where one frame would be too large.
void appendFrames(std::vector<std::byte>& out, std::span<const std::byte> events);

/// One event in memory that belongs to somebody else.
struct EventView {
    EventHead head;
    std::span<const std::byte> bytes;   ///< eventSize of them, the head included
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

/// Takes the first event off `events`. Throws Error{format} when it is longer than what is there.
[[nodiscard]] EventView takeEvent(std::span<const std::byte>& events);

/// The frames of a file that may still grow.
class FrameFile {
public:
    /// `chunk`: how much is read at once.
    explicit FrameFile(std::filesystem::path path, std::size_t chunk = std::size_t{256} << 10U);
    /// Reads frames from an open file; `path` names it in errors.
    FrameFile(std::filesystem::path path, FileHandle file, std::size_t chunk);

    /// The content of the next whole frame, valid until the next call; nothing while there is none.
    /// Damage is passed over when a whole frame follows it.
    [[nodiscard]] std::optional<std::span<const std::byte>> next();
    [[nodiscard]] const FileHandle& file() const { return file_; }
    /// Just behind the last frame that was read.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    /// Goes on at the first whole frame from there; what is jumped over is not damage.
    void seek(std::uint64_t offset);
    /// Bytes passed over as damaged.
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

private:
    [[nodiscard]] bool has(std::uint64_t begin, std::size_t size);
    [[nodiscard]] const std::byte* at(std::uint64_t offset) const {
        return buffer_.data() + (offset - begin_);
    }
    [[nodiscard]] std::optional<std::size_t> frameAt(std::uint64_t offset);
    [[nodiscard]] bool passDamage();

    std::filesystem::path path_;
    FileHandle file_;
    std::size_t chunk_;
    std::vector<std::byte> buffer_;
    std::uint64_t begin_ = 0; ///< of the buffer in the file
    std::uint64_t position_ = 0;
    std::uint64_t skipped_ = 0;
    std::uint64_t searched_ = 0; ///< size of the file when a search for a frame was last in vain
    std::size_t searchLeft_;     ///< bytes that searches may still hash
};

} // namespace weft
