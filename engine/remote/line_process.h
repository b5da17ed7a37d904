// SPDX-License-Identifier: Apache-2.0
#pragma once
// The program that carries a line (ssh, or whatever a host is reached by), as a child of this
// process: its input and output are the line's, what it says aside is kept.

#include "base/files.h"
#include "remote/packet_pipe.h"
#include "remote/spawned.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class LineProcess {
public:
    /// `isApart`: signals and questions of the terminal pass it by. Error{device} where there is no
    /// such program, or the machine starts no process more.
    LineProcess(const std::vector<std::string>& words, bool isApart);
    /// Ends it, within a second.
    ~LineProcess();
    LineProcess(const LineProcess&) = delete;
    LineProcess& operator=(const LineProcess&) = delete;

    [[nodiscard]] PacketPipe& pipe() { return *pipe_; }
    /// Something can be read there when it has said something aside.
    [[nodiscard]] int aside() const { return aside_.get(); }
    /// Its last 4096 bytes.
    const std::string& saidAside();
    /// Its exit code, waited for a moment; 128 and the signal's number where one ended it, -1 while
    /// it runs.
    int code();

private:
    std::optional<Child> child_;
    FileHandle aside_;
    std::string said_;
    std::unique_ptr<PacketPipe> pipe_;
};

} // namespace weft
