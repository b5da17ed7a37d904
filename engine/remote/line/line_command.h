// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns a host's command into a program to execute, with a shared connection if the command is ssh.
// Configuration, keys, agents and second factors are handled by ssh; nothing here reads or stores
// them.

#include <weft/hosts.h>

#include <chrono>
#include <string>
#include <vector>

namespace weft {

/// Time for a person to answer ssh's password prompt.
inline constexpr std::chrono::seconds patienceWithPeople{180};

/// Splits the host's command as a shell would, without calling one. Throws Error{usage} for an
/// unfinished quote, and for unquoted characters that need a shell.
[[nodiscard]] std::vector<std::string> viaWords(const Host& host);

/// Returns the words to execute so that the shell line runs on the host. With `mayAsk` ssh may ask
/// the user on a terminal; otherwise it never asks. Options in the user's command have priority
/// over those added here.
[[nodiscard]] std::vector<std::string> lineCommand(const Host& host, const std::string& line,
                                                   bool mayAsk);

/// Returns the shell line that starts the other end.
[[nodiscard]] std::string answerLine(const Host& host); ///< starts the host agent

} // namespace weft
