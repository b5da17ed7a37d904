// SPDX-License-Identifier: Apache-2.0
#pragma once
// A shell on a host at its work: it reads bytes, says lines, and ends by itself or with this
// object. Belongs to one thread.

#include "base/files.h"
#include "remote/spawned.h"
#include <weft/hosts.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

class ShellThere {
public:
    /// `script`: one line. `mayAsk`: as `lineCommand` takes it. Error{device} where what reaches
    /// the host isn't to be had here.
    ShellThere(const Host& host, std::string_view script, bool mayAsk);
    /// Ends what reaches the host: the script's input ends.
    ~ShellThere();
    ShellThere(const ShellThere&) = delete;
    ShellThere& operator=(const ShellThere&) = delete;

    /// They go while it is turned.
    void give(std::string_view bytes);
    /// Once what was given has gone.
    void endInput() { isInputWhole_ = true; }
    [[nodiscard]] std::size_t unsent() const { return out_.size() - sent_; }
    /// Sends and hears; waits for that so long at most. Whether anything went or came.
    bool turn(std::chrono::milliseconds limit);
    /// The next that it has said.
    [[nodiscard]] std::optional<std::string> nextLine();

    [[nodiscard]] bool hasEnded() const { return hasEnded_; }
    /// Once it has ended; 128 and the signal's number where one ended it.
    [[nodiscard]] int code() const { return child_->code(); }
    /// The last of it that says something.
    [[nodiscard]] std::string saidAside() const { return lastLine(asideText_); }

private:
    [[nodiscard]] bool sendSome();
    [[nodiscard]] bool hear();
    void lookWhetherItEnded();

    std::optional<Child> child_;
    bool hasEnded_ = false;
    bool isInputWhole_ = false;
    FileHandle in_; ///< of the script
    FileHandle said_;
    FileHandle aside_;
    std::string out_;
    std::size_t sent_ = 0;
    std::string lines_;
    std::string asideText_;
};

} // namespace weft
