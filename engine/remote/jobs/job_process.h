// SPDX-License-Identifier: Apache-2.0
#pragma once
// A job that is a process of this host. It outlives the process that started it, and later
// processes can identify it and see whether it still runs.

#include "base/files/files.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Identifies a process although numbers are reused: its start time, its host, and the boot of that
/// host.
struct ProcessIdentity {
    std::int64_t number = 0;  ///< process id, also the id of its group
    std::uint64_t begun = 0;  ///< start time in clock ticks since boot
    std::string machine = {}; ///< the kernel's identifier of the boot
    std::string host = {};    ///< host name
    bool operator==(const ProcessIdentity&) const = default;
};

enum class ProcessLife : std::uint8_t {
    lives,    ///< it still runs
    gone,     ///< it has ended
    elsewhere ///< on another host, which this one cannot ask
};
[[nodiscard]] ProcessLife lifeOf(const ProcessIdentity& identity); ///< does the process still run?

/// A job's script, started in its folder and waiting for `release`, so that its identity can be
/// stored before it does anything. Its output is appended to the file `output.txt`; its exit code
/// is written to the file `code` when it has ended.
class JobProcess {
public:
    JobProcess(const std::filesystem::path& folder, const std::string& script,
               const std::vector<std::pair<std::string, std::string>>& environment);

    [[nodiscard]] const ProcessIdentity& identity() const { return identity_; }
    /// Lets the script run. Without this call it ends without doing anything.
    void release() const; ///< lets the script run

private:
    FileHandle startPipe_; ///< pipe to the script, which waits for a byte
    ProcessIdentity identity_;
};

/// Returns the script's exit code, or none if it has not ended or was killed.
[[nodiscard]] std::optional<int> codeIn(const std::filesystem::path& folder);

/// Asks the job to end, and kills it after the grace period even if this process has ended by then.
void endJobProcess(const ProcessIdentity& identity, std::chrono::seconds grace);

} // namespace weft
