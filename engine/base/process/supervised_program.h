// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a program that starts others, such as mpirun, under a keeper (base/process/keeper.h), so
// that neither its processes nor its folders outlive it or, for long, this process.

#include "base/files/files.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct ProgramRequest {
    std::filesystem::path program;
    std::vector<std::string> arguments; ///< starting with the program's name
    /// Added to this process's environment.
    std::vector<std::pair<std::string, std::string>> environment = {};
    /// Folders of the program, created before it starts and removed after it ends.
    std::vector<std::filesystem::path> folders = {};
    /// Time between asking the program to end and killing it.
    std::chrono::milliseconds grace{0};
};

class SupervisedProgram {
public:
    /// Descriptor number at which every such program finds a file to write to; `saidAside` reads
    /// it.
    [[nodiscard]] static int asideNumber();

    /// Throws Error{device} if this machine cannot start another process.
    explicit SupervisedProgram(const ProgramRequest& request);
    /// Ends the program if it still runs, and waits until nothing of it is left.
    ~SupervisedProgram();
    SupervisedProgram(const SupervisedProgram&) = delete;
    SupervisedProgram& operator=(const SupervisedProgram&) = delete;

    /// Polls once; true once nothing of the program is left.
    [[nodiscard]] bool hasEnded();
    /// The program's process id; -1 before it has started.
    [[nodiscard]] int process() const { return programProcess_; }
    /// The program's exit code, or 128 plus the signal number.
    [[nodiscard]] int code() const;
    /// True if a signal ended the program that this process did not ask for.
    [[nodiscard]] bool wasKilled() const { return wasKilled_; }
    [[nodiscard]] std::string saidAside() const;

    /// If this process ends, the program gets time to end by itself.
    void mayFinish();
    /// Ends the program and its children now.
    void end();

private:
    void tell(char word) const;

    FileHandle channel_; ///< channel to the keeper
    FileHandle aside_;
    std::vector<std::filesystem::path> folders_;
    int keeperProcess_ = -1; ///< process id; -1: none
    int programProcess_ = -1;
    int status_ = 0; ///< status from wait()
    bool hasEnded_ = false;
    bool mayFinish_ = false;
    bool isToEnd_ = false;
    bool wasKilled_ = false;
};

} // namespace weft
