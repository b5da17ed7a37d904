// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the folder of a run's copy says of the run itself, which is on another host: mirror.json,
// written by the process that makes the copy grow. It is asked before the lock, the times and the
// clocks of this host.

#include "base/files.h"
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct MirrorWord {
    std::string host = {};
    std::string run = {};
    RunState state = RunState::unknown; ///< as the host said it last
    std::uint32_t attempt = 0;
    std::string queue = {}; ///< of one that waits: its place, why, when it is expected to begin
    std::string cause = {}; ///< of one that ended before it began
    bool isUp = false;      ///< the line
    std::string why = {};   ///< it is lost
    std::int64_t since = 0; ///< Unix time in seconds, of this host: when the line was lost
    bool operator==(const MirrorWord&) const = default;
};

/// `unknown` where it is the name of none.
[[nodiscard]] RunState runStateNamed(std::string_view name);

/// Nothing where the folder is no copy. What a copy says whose maker is gone counts as a lost line.
[[nodiscard]] std::optional<MirrorWord> readMirrorWord(const std::filesystem::path& folder);
void writeMirrorWord(const std::filesystem::path& folder, const MirrorWord& word);

/// Held by the one process that makes the copy grow; not open where another one does.
[[nodiscard]] FileHandle holdMirror(const std::filesystem::path& folder);

[[nodiscard]] bool isMirrorHeld(const std::filesystem::path& folder);

/// The run's, as far as is known here.
[[nodiscard]] RunState stateOf(const MirrorWord& word);
/// What it waits for, since when and why nothing is known of it, or why it never began; else empty.
[[nodiscard]] std::string whyOf(const MirrorWord& word);

} // namespace weft
