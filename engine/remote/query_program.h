// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that is started to be heard: squeue, sbatch. It ends by itself or at its limit, and
// nobody has to wait for that. Belongs to one thread.

#include "base/waiting.h"
#include "remote/spawned.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct ProgramQuestion {
    std::vector<std::string> words;    ///< the first is looked for as a shell would
    std::filesystem::path folder = {}; ///< empty: this process's
    /// Added to what this process has.
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::chrono::milliseconds limit{5'000};
};

struct ProgramAnswer {
    int code = 0;           ///< 128 and the signal's number where a signal ended it
    bool isLate = false;    ///< the limit ended it, and all that it had started
    std::string said = {};  ///< on its standard output, at most a MiB
    std::string error = {}; ///< on the other one
    [[nodiscard]] bool isFine() const { return code == 0 && !isLate; }
    /// Why it isn't, in its own words: the last line of them that says something.
    [[nodiscard]] std::string complaint() const;
};

class QueryProgram {
public:
    /// Error{device} where it cannot be started.
    explicit QueryProgram(const ProgramQuestion& question);
    /// Looks once, and never waits for it.
    [[nodiscard]] bool hasEnded();
    /// Once it has ended.
    [[nodiscard]] const ProgramAnswer& answer() const { return answer_; }

private:
    Deadline deadline_;
    Pipe out_;
    Pipe error_;
    std::optional<Child> child_; ///< nothing: it has ended
    ProgramAnswer answer_;
};

/// Waits for it. A program that can't be started answers as a shell does: 127, and why.
[[nodiscard]] ProgramAnswer answerOf(const ProgramQuestion& question);

} // namespace weft
