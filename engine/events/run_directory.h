// SPDX-License-Identifier: Apache-2.0
#pragma once
// The folder of a run, held by the process that leads it: design.weft (as the last attempt has it;
// others stay as design.<the last attempt that had it>.weft), begin.json, machine.json,
// selection.json, events.<rank>.weftlog, spans.<rank>/, metrics.jsonl, checkpoints/, tensors/,
// series/, log.txt, control/ while the run lives and figures.json once it has ended. A lock on its
// file `lock` tells a living run from a dead one.

#include "base/files.h"
#include <weft/runs.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// Keeps others from resuming a run while its next attempt is made ready. Nothing in its folder
/// changes.
struct RunHold {
    std::filesystem::path folder;
    FileHandle lock;
    std::uint32_t attempt = 0; ///< the last
};

class RunDirectory {
public:
    /// A new folder under `parent`, named so that runs sort by age: "2024-05-01_120000_lenet".
    [[nodiscard]] static RunDirectory create(const std::filesystem::path& parent,
                                             std::string_view name);
    /// A new folder of that very path, which must not be there or be empty.
    [[nodiscard]] static RunDirectory createAt(const std::filesystem::path& folder);
    /// A run that ended. Error{usage} where it lives. A job that the cluster has put back into its
    /// queue takes the run from what may be left of its former self on a host that was given up.
    [[nodiscard]] static RunHold hold(const std::filesystem::path& folder);
    /// The next attempt begins.
    [[nodiscard]] static RunDirectory resume(RunHold held);

    /// The run is dead from here on: control/ goes, the lock is let go.
    ~RunDirectory();
    RunDirectory(RunDirectory&&) noexcept = default;
    RunDirectory& operator=(RunDirectory&&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::uint32_t attempt() const { return attempt_; }
    [[nodiscard]] std::filesystem::path design() const { return folder_ / "design.weft"; }
    [[nodiscard]] std::filesystem::path selection() const { return folder_ / "selection.json"; }
    [[nodiscard]] std::filesystem::path checkpoints() const { return folder_ / "checkpoints"; }
    [[nodiscard]] std::filesystem::path tensors() const { return folder_ / "tensors"; }
    [[nodiscard]] std::filesystem::path control() const { return folder_ / "control"; }

    /// Once a second or so: tells hosts that see the folder over a network, where locks may not
    /// reach, that it lives.
    void beat();
    /// False once a later attempt has taken the run: nothing more may be written.
    [[nodiscard]] bool isOurs() const;

private:
    RunDirectory(std::filesystem::path folder, FileHandle lock, std::uint32_t attempt);

    std::filesystem::path folder_;
    FileHandle lock_;
    std::uint32_t attempt_;
};

/// What the lock file says, whoever holds it.
struct RunLock {
    bool isHeld = false;
    std::uint32_t attempt = 0;
    std::int64_t process = 0;
    std::string host = {};
    std::string job = {}; ///< of the cluster's queue
    /// State of a remote run, as last reported by its host. The local copy has no lock.
    std::optional<RunState> elsewhere = {};
    std::string why =
        {}; ///< of a copy: what it waits for, why nothing is known of it, or it failed
    /// Bytes of rank 0's log as the attempt found it.
    std::uint64_t logBefore = 0;
};
/// Nothing is held and no attempt known where there is no lock file. Of a copy of a run on another
/// host it is that run's word.
[[nodiscard]] RunLock readRunLock(const std::filesystem::path& folder);

/// Where the process that led the run is gone, nobody reads its mailbox any more: control/ goes.
void removeMailboxOfTheDead(const std::filesystem::path& folder);

} // namespace weft
