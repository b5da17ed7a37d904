// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that is started for its output: squeue, sbatch. It ends by itself or at its time limit,
// and nothing needs to wait for it. Not thread-safe.

#include "base/process/waiting.h"
#include "remote/spawned.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct ProgramQuestion {
    std::vector<std::string> words;    ///< the first is searched on PATH
    std::filesystem::path folder = {}; ///< empty: the folder of this process
    /// Added to the environment of this process.
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::chrono::milliseconds limit{5'000}; ///< time limit
};

struct ProgramAnswer {
    int code = 0;           ///< exit code; 128 plus the signal's number if a signal ended it
    bool isLate = false;    ///< the time limit ended it and everything that it had started
    std::string said = {};  ///< standard output, at most 1 MiB
    std::string error = {}; ///< standard error
    [[nodiscard]] bool isFine() const { return code == 0 && !isLate; }
    /// Returns why it failed: the last non-empty line of its messages.
    [[nodiscard]] std::string complaint() const; ///< why it failed
};

class QueryProgram {
public:
    /// Throws Error{device} if it cannot be started.
    explicit QueryProgram(const ProgramQuestion& question);
    /// Checks without waiting.
    [[nodiscard]] bool hasEnded(); ///< does not wait
    /// Valid once it has ended.
    [[nodiscard]] const ProgramAnswer& answer() const { return answer_; }

private:
    Deadline deadline_;          ///< when it is ended
    Pipe out_;                   ///< its standard output
    Pipe error_;                 ///< its standard error
    std::optional<Child> child_; ///< none: it has ended
    ProgramAnswer answer_;       ///< filled while it runs
};

/// Starts the program and waits for it. If it cannot be started, the answer is that of a shell: 127
/// and the reason.
[[nodiscard]] ProgramAnswer answerOf(const ProgramQuestion& question);

} // namespace weft
