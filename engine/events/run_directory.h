// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folder of a run, held by the process that leads the run: design.weft (of the last attempt;
// earlier designs are design.<last attempt that used it>.weft), begin.json, machine.json,
// selection.json, events.<rank>.weftlog, spans.<rank>/, metrics.jsonl, checkpoints/, tensors/,
// series/, log.txt, control/ while it runs, figures.json after its end. A lock on the file `lock`
// marks a running run.

#include "base/files/files.h"
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// Keeps others from resuming a run while its next attempt is prepared. Does not change the folder.
struct RunReservation {
    std::filesystem::path folder; ///< folder of the run
    FileHandle lock;              ///< lock of the run
    std::uint32_t attempt = 0;    ///< the last attempt
};

class RunDirectory {
public:
    /// Creates a folder under `parent` with a name that sorts by age: "2024-05-01_120000_lenet".
    [[nodiscard]] static RunDirectory create(const std::filesystem::path& parent,
                                             std::string_view name);
    /// Creates the run in this very folder, which must be missing or empty.
    [[nodiscard]] static RunDirectory createAt(const std::filesystem::path& folder);
    /// Holds a run that has ended. Throws Error{usage} if it runs. A job that the cluster requeued
    /// takes over from its former process on a failed host.
    [[nodiscard]] static RunReservation reserve(const std::filesystem::path& folder);
    /// Starts the next attempt.
    [[nodiscard]] static RunDirectory resume(RunReservation held); ///< starts the next attempt

    /// Ends the run: removes control/ and releases the lock.
    ~RunDirectory();
    RunDirectory(RunDirectory&&) noexcept = default;
    RunDirectory& operator=(RunDirectory&&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::uint32_t attempt() const { return attempt_; }
    [[nodiscard]] std::filesystem::path design() const { return folder_ / "design.weft"; } ///< file
    [[nodiscard]] std::filesystem::path selection() const { return folder_ / "selection.json"; }
    [[nodiscard]] std::filesystem::path checkpoints() const { return folder_ / "checkpoints"; }
    [[nodiscard]] std::filesystem::path tensors() const { return folder_ / "tensors"; }
    [[nodiscard]] std::filesystem::path control() const { return folder_ / "control"; }

    /// Call about once a second: marks the run as running for hosts that see the folder over a
    /// network, where locks may not work.
    void beat(); ///< call about once a second
    /// False once a later attempt has taken over the run; then nothing more may be written.
    [[nodiscard]] bool isOurs() const; ///< false: a later attempt took over

private:
    RunDirectory(std::filesystem::path folder, FileHandle lock, std::uint32_t attempt);

    std::filesystem::path folder_; ///< folder of the run
    FileHandle lock_;              ///< marks the run as running
    std::uint32_t attempt_;        ///< number from 1
};

/// The content of the lock file, regardless of its holder.
struct RunLock {
    bool isHeld = false;       ///< true: a process leads the run now
    std::uint32_t attempt = 0; ///< last attempt; 0: none
    std::int64_t process = 0;  ///< id of the process that leads the run, on `host`
    std::string host = {};     ///< host of `process`
    std::string job = {};      ///< job id in the cluster's queue
    /// State of a remote run, as last reported by its host. The local copy has no lock.
    std::optional<RunState> remoteState = {}; ///< remote run: its state as its host reported it
    std::string why =
        {}; ///< for a copy: what it waits for, why its state is unknown, or why it failed
    /// Bytes of rank 0's log when the attempt began.
    std::uint64_t logBytesAtBegin = 0; ///< bytes of rank 0's log when the attempt began
};
/// Without a lock file: not held, no attempt. For a copy, returns the remote run's state.
[[nodiscard]] RunLock readRunLock(const std::filesystem::path& folder);

/// Removes control/ if the process that led the run is gone.
void removeControlOfDeadRun(const std::filesystem::path& folder);

} // namespace weft
