// SPDX-License-Identifier: Apache-2.0
#pragma once
// A running shell on another host: it reads bytes, prints lines, and ends by itself or with this
// object. Not thread-safe.

#include "base/files/files.h"
#include "remote/spawned.h"
#include <weft/hosts.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

class RemoteShell {
public:
    /// `script` is one line. `mayAsk` is that of `lineCommand`. Throws Error{device} if the program
    /// that reaches the host is not available here.
    RemoteShell(const Host& host, std::string_view script, bool mayAsk);
    /// Ends the connection, which ends the script's input.
    ~RemoteShell();
    RemoteShell(const RemoteShell&) = delete;
    RemoteShell& operator=(const RemoteShell&) = delete;

    /// Queues bytes, which `transfer` sends.
    void queueInput(std::string_view bytes); ///< `transfer` sends them
    /// Ends the input after the queued bytes.
    void endInput() { isInputWhole_ = true; }
    [[nodiscard]] std::size_t unsent() const { return unsentInput_.size() - sent_; }
    /// Sends and receives, waiting at most that long. True if any bytes were transferred.
    bool transfer(std::chrono::milliseconds limit); ///< false: no bytes moved
    /// Returns the next line of its output, if complete.
    [[nodiscard]] std::optional<std::string> nextLine(); ///< its output; none: incomplete

    [[nodiscard]] bool hasEnded() const { return hasEnded_; }
    /// Valid once it has ended; 128 plus the signal's number if a signal ended it.
    [[nodiscard]] int code() const { return child_->code(); }
    /// Returns the last non-empty line of standard error.
    [[nodiscard]] std::string lastErrorLine() const { return lastLine(asideText_); }

private:
    [[nodiscard]] bool sendSome(); ///< true: some were sent
    [[nodiscard]] bool receiveOutput();
    void checkForEnd(); ///< polls the child process

    std::optional<Child> child_; ///< none before it is started
    bool hasEnded_ = false;
    bool isInputWhole_ = false; ///< endInput was called
    FileHandle input_;          ///< the script's input
    FileHandle output_;         ///< reads its standard output
    FileHandle errors_;         ///< reads its standard error
    std::string unsentInput_;   ///< input for the script
    std::size_t sent_ = 0;      ///< bytes of `unsentInput_` that are sent
    std::string lines_;         ///< output that was not returned as lines yet
    std::string asideText_;     ///< the end of its standard error
};

} // namespace weft
