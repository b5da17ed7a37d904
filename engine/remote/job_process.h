// SPDX-License-Identifier: Apache-2.0
#pragma once
// A job that is a process of this host: it outlives whoever began it, and whoever comes later knows
// it again, or that it is gone.

#include "base/files.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// What a process is known by, as numbers are given out again: when it began, on which host, and
/// since when that runs.
struct ProcessMark {
    std::int64_t number = 0;  ///< its group's too
    std::uint64_t begun = 0;  ///< in ticks since the machine's begin
    std::string machine = {}; ///< changes with each begin of the machine
    std::string host = {};
    bool operator==(const ProcessMark&) const = default;
};

enum class ProcessLife : std::uint8_t {
    lives,
    gone,
    elsewhere ///< on another host, which this one can't ask
};
[[nodiscard]] ProcessLife lifeOf(const ProcessMark& mark);

/// A job's script, begun in its folder and waiting for `letGo`, so that its mark can be kept
/// before it does anything. Its output is appended to the file `output.txt`, its exit code is
/// what the file `code` holds once it has ended.
class JobProcess {
public:
    JobProcess(const std::filesystem::path& folder, const std::string& script,
               const std::vector<std::pair<std::string, std::string>>& environment);

    [[nodiscard]] const ProcessMark& mark() const { return mark_; }
    /// Without that it ends having done nothing.
    void letGo() const;

private:
    FileHandle word_;
    ProcessMark mark_;
};

/// What the script ended with; nothing as long as it has not, or where it was killed.
[[nodiscard]] std::optional<int> codeIn(const std::filesystem::path& folder);

/// The job is asked to end, and ended after so long, whether or not this process lives by then.
void endJobProcess(const ProcessMark& mark, std::chrono::seconds grace);

} // namespace weft
