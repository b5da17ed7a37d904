// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which files of a run's folder have a copy elsewhere, and how each grows. Both ends of a line ask
// it: names that come over one are not trusted.

#include "base/files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

enum class FileGrowth : std::uint8_t {
    whole,   ///< written whole, and whole again: the design, what it was begun with
    frames,  ///< events, a frame after the other: a rank's log
    lines,   ///< a line after the other
    segment, ///< frames, until it is full; may be replaced later
    asked    ///< comes when it is asked for: a checkpoint, a tensor
};

struct MirroredFile {
    FileGrowth growth = FileGrowth::asked;
    int rank = 0;             ///< of frames and segments
    std::uint32_t number = 0; ///< of a segment
};

/// `path` is relative to the run's folder. Nothing for what has no copy: locks, mailboxes, pages
/// of living processes, whatever a run does not write, names that lead elsewhere.
[[nodiscard]] std::optional<MirroredFile> mirroredFile(std::string_view path);

/// How much of a file the copy holds, and what its end is: by that a copy is known to be one.
struct HeldFile {
    std::string path;
    std::uint64_t bytes = 0;
    std::uint64_t tail = 0;    ///< hash of its last 4096 bytes
    std::uint64_t whole = 0;   ///< of frames: where the last whole one ends
    std::uint64_t version = 0; ///< of a file that does not show yet, as its pieces named it
    bool operator==(const HeldFile&) const = default;
};
/// Hash of the bytes of `file` that end at `end`.
[[nodiscard]] std::uint64_t tailHash(const FileHandle& file, std::uint64_t end);

/// A piece of a file on its way.
struct FilePart {
    std::string path;
    std::uint64_t offset = 0;
    bool isAnew = false;   ///< it begins, from 0: what the copy has of it is another's
    bool isBeside = false; ///< it takes the other's place once it is whole, as all at once
    bool isWhole = false;  ///< that is now
    bool isGone = false;   ///< it is no more
    /// Of a file that comes beside: it is the same file with the same content as long as this is.
    std::uint64_t version = 0;
    std::string bytes = {};
};

} // namespace weft
