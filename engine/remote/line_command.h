// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a host's command becomes a program to execute, and its shared connection where it is ssh.
// Configuration, keys, agents and second factors are ssh's: nothing here reads or keeps them.

#include <weft/hosts.h>

#include <chrono>
#include <string>
#include <vector>

namespace weft {

/// Time for a person to answer ssh's password prompt.
inline constexpr std::chrono::seconds patienceWithPeople{180};

/// The host's command, taken apart as a shell does it, without one. Error{usage} where a quote has
/// no end, and where something stands unquoted that only a shell could make good.
[[nodiscard]] std::vector<std::string> viaWords(const Host& host);

/// The words to execute so that the shell line runs on the host. `mayAsk`: somebody sits at a
/// terminal on which ssh may ask; else it never asks. What the user's command says of a connection
/// wins over what is said here.
[[nodiscard]] std::vector<std::string> lineCommand(const Host& host, const std::string& line,
                                                   bool mayAsk);

/// The shell line that starts the other end.
[[nodiscard]] std::string answerLine(const Host& host);

} // namespace weft
