// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program started by this one, in a process group of its own, so that a Ctrl-C in the terminal is
// ours to hand on.

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace weft {

class ChildProcess {
public:
    /// `environment`: added to what this process has. Error{device} when it cannot be started.
    ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::vector<std::pair<std::string, std::string>>& environment);
    /// Kills it, if it still runs, and waits for it.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    [[nodiscard]] int process() const { return process_; }
    /// Looks once; true from its end on.
    [[nodiscard]] bool hasEnded();
    /// Its exit code; 128 and the signal's number where a signal ended it.
    [[nodiscard]] int code() const { return code_; }
    void signal(int number) const;
    /// TERM, and KILL where that is not enough within the limit.
    void end(std::chrono::milliseconds limit);

private:
    int process_ = -1;
    bool hasEnded_ = false;
    int code_ = 0;
};

} // namespace weft
