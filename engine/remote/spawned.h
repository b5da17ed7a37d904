// SPDX-License-Identifier: Apache-2.0
#pragma once
// Starts programs in a session of their own that inherit only what they are given: no other
// descriptors, no blocked or ignored signals, no terminal.

#include "base/files/files.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Neither end is inherited by programs that this process starts or becomes.
struct Pipe {
    FileHandle out; ///< read end
    FileHandle in;  ///< write end
};
/// Throws Error{file} if no descriptor is left.
[[nodiscard]] Pipe makePipe(); ///< throws Error{file}

struct SpawnRequest {
    /// True for a session of its own, which the terminal's signals and prompts do not reach.
    bool hasOwnSession = true;           ///< apart from the terminal's signals
    std::vector<std::string> words = {}; ///< the first is searched on PATH
    /// The working directory of the program, which need not exist.
    std::filesystem::path folder = {}; ///< empty: the folder of this process
    /// Added to the environment of this process.
    std::vector<std::pair<std::string, std::string>> environment = {};
    // Descriptors that become the program's standard streams.
    int in = -1;    ///< -1: it reads nothing
    int out = -1;   ///< -1: what it writes is discarded
    int error = -1; ///< -1: what it writes is discarded
};

/// Returns the process, which is also its group and session if it is apart. Throws Error{device} if
/// there is no such program, or no process can be started.
[[nodiscard]] int spawn(const SpawnRequest& request); ///< process id

/// A child process that ends with this object.
class Child {
public:
    explicit Child(const SpawnRequest& request);
    /// Ends it and, if it is apart, everything that it has started.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Returns without waiting.
    [[nodiscard]] bool hasEnded(); ///< does not wait
    /// Waits at most that long.
    bool endsWithin(std::chrono::milliseconds limit); ///< at most; true: it has ended
    /// Sends a signal to it and, if it is apart, to everything that it has started.
    void signal(int number) const; ///< also to its children, if apart
    /// Valid once it has ended; 128 plus the signal's number if a signal ended it.
    [[nodiscard]] int code() const; ///< exit code, or 128 plus the signal

private:
    int process_;  ///< process id
    bool isApart_; ///< true: it has a session of its own
    bool hasEnded_ = false;
    int status_ = 0; ///< status from waitpid()
};

/// Returns the last non-empty line of a program's output, or an empty string.
[[nodiscard]] std::string lastLine(std::string_view text);

} // namespace weft
