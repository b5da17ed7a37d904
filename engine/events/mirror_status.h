// SPDX-License-Identifier: Apache-2.0
#pragma once
// mirror.json: the state of a remote run in the folder of its local copy, written by the process
// that mirrors it. For copies, this file takes precedence over lock, times and clocks of this host.

#include "base/files/files.h"
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct MirrorStatus {
    std::string host = {};              ///< name of the host
    std::string run = {};               ///< name of the run on its host
    RunState state = RunState::unknown; ///< as last reported by the host
    std::uint32_t attempt = 0;          ///< last attempt; 0: none
    std::string queue = {};             ///< if queued: its position, the reason, the expected start
    std::string cause = {};             ///< why it ended before it began
    bool isUp = false;                  ///< true: the line to the host is up
    std::string why = {};               ///< why the line is lost
    std::int64_t since = 0; ///< Unix time in seconds, by this host's clock, when the line was lost
    bool operator==(const MirrorStatus&) const = default;
};

/// Returns `unknown` if the name is not known.
[[nodiscard]] RunState runStateNamed(std::string_view name); ///< unknown: no such name

/// Returns nothing if the folder is not a copy. If no process mirrors the run, the line counts as
/// lost.
[[nodiscard]] std::optional<MirrorStatus> readMirrorStatus(const std::filesystem::path& folder);
void writeMirrorStatus(const std::filesystem::path& folder, const MirrorStatus& word);

/// Takes the mirror lock; the handle is not open if another process holds it.
[[nodiscard]] FileHandle holdMirror(const std::filesystem::path& folder);

[[nodiscard]] bool isMirrorHeld(const std::filesystem::path& folder); ///< by any process

/// The state of the run, as far as known here.
[[nodiscard]] RunState stateOf(const MirrorStatus& word); ///< state of the run, as last known here
/// Returns what the run waits for, since when and why its state is unknown, or why it never began;
/// else empty.
[[nodiscard]] std::string whyOf(const MirrorStatus& word);

} // namespace weft
