// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arguments that make mpirun fit for a run: for a small machine, for root, and so that the
// death of one rank leaves the others the time to say why and save.

#include <weft/launch.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The program's path on PATH; Error{device} that says how to get it.
[[nodiscard]] std::filesystem::path findMpirun();

/// What to execute, mpirun first. `handedOn`: names of environment variables that the ranks get,
/// on other hosts too.
[[nodiscard]] std::vector<std::string> mpirunArguments(const LaunchRequest& request, bool isRoot,
                                                       std::span<const std::string> handedOn);

/// As one would type it in a shell.
[[nodiscard]] std::string shellLine(std::span<const std::string> arguments);

} // namespace weft
