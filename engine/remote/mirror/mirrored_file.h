// SPDX-License-Identifier: Apache-2.0
#pragma once
// Says which files of a run's folder are mirrored, and how each of them grows. Both ends of a
// connection use it, because names from a connection are not trusted.

#include "base/files/files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

enum class FileGrowth : std::uint8_t {
    whole,   ///< always rewritten as a whole: the design, how the run began
    frames,  ///< events, appended frame by frame: a rank's log
    lines,   ///< appended line by line
    segment, ///< frames up to a limit; may be replaced later
    asked    ///< sent on request: a checkpoint, a tensor
};

struct MirroredFile {
    FileGrowth growth = FileGrowth::asked; ///< how the file grows
    int rank = 0;                          ///< for frames and segments: the rank that wrote them
    std::uint32_t number = 0;              ///< for a segment: its number
};

/// Returns how a file of a run is mirrored. `path` is relative to the run's folder. None for files
/// that are not mirrored: locks, mailboxes, shared memory of live processes, files that no run
/// writes, names that lead elsewhere.
[[nodiscard]] std::optional<MirroredFile> mirroredFile(std::string_view path);

/// How much of a file the mirror has, and a hash of its end, which verifies that it is a prefix of
/// the file.
struct HeldFile {
    std::string path;          ///< relative to the run's folder
    std::uint64_t bytes = 0;   ///< size of what the mirror has
    std::uint64_t tail = 0;    ///< hash of its last 4096 bytes
    std::uint64_t whole = 0;   ///< for frames: the end of the last complete frame
    std::uint64_t version = 0; ///< for an incomplete file: the version that its pieces named
    bool operator==(const HeldFile&) const = default;
};
/// Returns the hash of the bytes of `file` before `end`.
[[nodiscard]] std::uint64_t tailHash(const FileHandle& file, std::uint64_t end); ///< 4096 bytes

/// A piece of a file for transfer.
struct FilePart {
    std::string path;         ///< relative to the run's folder
    std::uint64_t offset = 0; ///< position of `bytes` in the file
    bool isRestarted = false; ///< the file starts from 0; the mirror discards what it has
    bool isReplacing = false; ///< the file replaces an existing one when it is complete
    bool isWhole = false;     ///< with this piece the file is complete
    bool isGone = false;      ///< the file no longer exists
    /// For a file with isReplacing: pieces with the same version belong to the same file and
    /// content.
    std::uint64_t version = 0; ///< files sent whole: equal for pieces of the same content
    std::string bytes = {};    ///< content of the piece
};

} // namespace weft
