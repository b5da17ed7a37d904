// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run on the terminal, from its beginning to its end, wherever it runs.

#include <weft/sinks.h>

#include <filesystem>

namespace weft {

/// The standard output, with how long the run is meant to be, as far as its design can be read.
[[nodiscard]] SinkPlace placeFor(const std::filesystem::path& run);

/// Follows a run on the terminal, first through its wait in a queue, and returns the exit code.
[[nodiscard]] int followOnTerminal(const std::filesystem::path& run, bool asJson);

} // namespace weft
