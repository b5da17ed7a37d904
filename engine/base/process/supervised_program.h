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
    std::vector<std::filesystem::path> folders = {}; ///< created first, removed after the end
    /// Time between asking the program to end and killing it.
    std::chrono::milliseconds grace{0}; ///< time between asking the program to end and killing it
};

class SupervisedProgram {
public:
    /// Descriptor number at which every such program finds a file to write to; `sideFileText` reads
    /// it.
    [[nodiscard]] static int sideFileNumber(); ///< descriptor for messages of the program

    /// Throws Error{device} if this machine cannot start another process.
    explicit SupervisedProgram(const ProgramRequest& request);
    /// Ends the program if it still runs, and waits until nothing of it is left.
    ~SupervisedProgram();
    SupervisedProgram(const SupervisedProgram&) = delete;
    SupervisedProgram& operator=(const SupervisedProgram&) = delete;

    /// Polls once; true once nothing of the program is left.
    [[nodiscard]] bool hasEnded(); ///< nothing of the program is left
    /// The program's process id; -1 before it has started.
    [[nodiscard]] int process() const { return programProcess_; } ///< process id; -1: not started
    /// The program's exit code, or 128 plus the signal number.
    [[nodiscard]] int code() const; ///< exit code, or 128 plus the signal
    /// True if a signal ended the program that this process did not ask for.
    [[nodiscard]] bool wasKilled() const { return wasKilled_; }
    [[nodiscard]] std::string sideFileText() const; ///< what it wrote to sideFileNumber()

    /// If this process ends, the program gets time to end by itself.
    void mayFinish(); ///< by itself, if this process ends
    /// Ends the program and its children now.
    void end(); ///< kills the program and its children

private:
    void sendCommand(char word) const; ///< sends a KeeperCommand

    FileHandle channel_;  ///< channel to the keeper
    FileHandle sideFile_; ///< memory file that the program writes messages to
    std::vector<std::filesystem::path> folders_; ///< removed when the program has ended
    int keeperProcess_ = -1;                     ///< process id; -1: none
    int programProcess_ = -1;                    ///< process id; -1: not started
    int status_ = 0;                             ///< status from wait()
    bool hasEnded_ = false;
    bool mayFinish_ = false;       ///< `mayFinish` was called
    bool endWasRequested_ = false; ///< `end` was called
    bool wasKilled_ = false;       ///< by a signal that this process did not ask for
};

} // namespace weft
