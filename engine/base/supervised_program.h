// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that starts others, such as mpirun, begun by this process and looked after by a keeper:
// nothing that it started and no folder of its own outlives it or, for long, this process.

#include "base/files.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct ProgramRequest {
    std::filesystem::path program;
    std::vector<std::string> arguments; ///< the first is its name
    /// Added to what this process has.
    std::vector<std::pair<std::string, std::string>> environment = {};
    /// Folders of the program, created before it starts and removed after it ends.
    std::vector<std::filesystem::path> folders = {};
    /// From asking it to end until it is killed.
    std::chrono::milliseconds grace{0};
};

class SupervisedProgram {
public:
    /// A descriptor at which every such program finds a file to write to: `saidAside` reads it.
    [[nodiscard]] static int asideNumber();

    /// Error{device} when this machine starts no process more.
    explicit SupervisedProgram(const ProgramRequest& request);
    /// Ends it, if it still runs, and waits until nothing of it is left.
    ~SupervisedProgram();
    SupervisedProgram(const SupervisedProgram&) = delete;
    SupervisedProgram& operator=(const SupervisedProgram&) = delete;

    /// Looks once; true from the moment on that nothing of it is left.
    [[nodiscard]] bool hasEnded();
    /// Its own process; -1 before it has begun.
    [[nodiscard]] int process() const { return process_; }
    /// Its exit code; 128 and the signal's number where a signal ended it.
    [[nodiscard]] int code() const;
    /// A signal ended it, and not at our asking.
    [[nodiscard]] bool wasKilled() const { return wasKilled_; }
    [[nodiscard]] std::string saidAside() const;

    /// Should this process go, the program gets the time to end by itself.
    void mayFinish();
    /// Now, and all that it started with it.
    void end();

private:
    void tell(char word) const;

    FileHandle channel_; ///< to the keeper
    FileHandle aside_;
    std::vector<std::filesystem::path> folders_;
    int keeper_ = -1;
    int process_ = -1;
    int status_ = 0; ///< as wait() told it
    bool hasEnded_ = false;
    bool mayFinish_ = false;
    bool isToEnd_ = false;
    bool wasKilled_ = false;
};

} // namespace weft
