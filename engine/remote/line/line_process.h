// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program that carries a connection (ssh, or any command that reaches the host), as a child of
// this process. Its standard input and output carry the connection; its standard error is kept.

#include "base/files/files.h"
#include "remote/packet_pipe.h"
#include "remote/spawned.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class LineProcess {
public:
    /// With `hasOwnSession` the terminal's signals and prompts do not reach it. Throws
    /// Error{device} if there is no such program, or no process can be started.
    LineProcess(const std::vector<std::string>& words, bool hasOwnSession);
    /// Ends it within a second.
    ~LineProcess();
    LineProcess(const LineProcess&) = delete;
    LineProcess& operator=(const LineProcess&) = delete;

    [[nodiscard]] PacketPipe& pipe() { return *pipe_; }
    /// Descriptor that is readable when something was written to standard error.
    [[nodiscard]] int errorDescriptor() const { return errors_.get(); } ///< readable after errors
    /// Returns the last 4096 bytes of standard error.
    const std::string& errorText(); ///< its last 4096 bytes
    /// Waits a moment for its exit code. Returns 128 plus the signal's number if a signal ended it,
    /// -1 while it runs.
    int code(); ///< exit code; -1: it runs

private:
    std::optional<Child> child_;       ///< none: it has ended
    FileHandle errors_;                ///< reads its standard error
    std::string errorText_;            ///< the last 4096 bytes of its standard error
    std::unique_ptr<PacketPipe> pipe_; ///< packets over its standard input and output
};

} // namespace weft
