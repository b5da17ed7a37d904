// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run on the terminal, from its beginning to its end, wherever it runs.

#include <filesystem>

namespace weft {

/// Of a run that waits in a queue, first what it waits for. The exit code.
[[nodiscard]] int followOnTerminal(const std::filesystem::path& run, bool asJson);

} // namespace weft
