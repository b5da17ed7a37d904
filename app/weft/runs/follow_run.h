// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows a run on the terminal from its start to its end, on this machine or on another host.

#include <weft/sinks.h>

#include <filesystem>

namespace weft {

/// Returns the standard output as the place to print to, with the planned length of the run if its
/// design can be read.
[[nodiscard]] SinkPlace terminalPlace(const std::filesystem::path& run); ///< standard output

/// Follows a run on the terminal, including its wait in a queue, and returns the exit code.
[[nodiscard]] int followOnTerminal(const std::filesystem::path& run, bool asJson);

} // namespace weft
