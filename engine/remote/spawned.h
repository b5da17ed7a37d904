// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs begun in a session of their own, with nothing of this process but what they are given:
// no descriptor, no signal that is blocked or ignored, no terminal.

#include "base/files.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Neither end outlives a program that this process becomes or starts.
struct Pipe {
    FileHandle out;
    FileHandle in;
};
/// Error{file} where the machine has none left.
[[nodiscard]] Pipe makePipe();

struct SpawnRequest {
    /// It has a session of its own, which signals and questions of the terminal pass by.
    bool isApart = true;
    std::vector<std::string> words = {}; ///< the first is looked for as a shell would
    /// Seen from the folder, which may not be there.
    std::filesystem::path folder = {}; ///< empty: this process's
    /// Added to what this process has.
    std::vector<std::pair<std::string, std::string>> environment = {};
    // Descriptors that become the program's own three.
    int in = -1; ///< -1: it reads nothing
    int out = -1;
    int error = -1;
};

/// Its process, which is its group's and session's number too where it is apart. Error{device}
/// where there is no such program, or this machine starts no process more.
[[nodiscard]] int spawned(const SpawnRequest& request);

/// A program that is this process's to look after, and that ends with this object.
class Child {
public:
    explicit Child(const SpawnRequest& request);
    /// Ends it, with all that it has started where it is apart.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Never waits.
    [[nodiscard]] bool hasEnded();
    /// Waits so long at most.
    bool endsWithin(std::chrono::milliseconds limit);
    /// To it, and where it is apart to all that it has started.
    void signal(int number) const;
    /// Once it has ended; 128 and the signal's number where one ended it.
    [[nodiscard]] int code() const;

private:
    int process_;
    bool isApart_;
    bool hasEnded_ = false;
    int status_ = 0;
};

/// What a program said last that says something: a line of it, or nothing.
[[nodiscard]] std::string lastLine(std::string_view text);

} // namespace weft
