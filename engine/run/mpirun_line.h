// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arguments that make mpirun fit for a run: for a small machine, for root, and so that the
// death of one rank leaves the others the time to say why and save.

#include "base/supervised_program.h"
#include <weft/launch.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// The program's path on PATH; Error{device} that says how to get it.
[[nodiscard]] std::filesystem::path findMpirun();

/// What to execute, mpirun first.
[[nodiscard]] std::vector<std::string> mpirunArguments(const LaunchRequest& request, bool isRoot);

/// Ranks live on other hosts too.
[[nodiscard]] bool isAcrossHosts(const LaunchRequest& request);

/// mpirun with its arguments and with folders of its own, in which MPI keeps all of its files of
/// this host. `environment` is handed on to the ranks, on other hosts too, and stands in no line
/// that others can see. What mpirun itself has to say comes aside, so that the terminal hears the
/// ranks alone.
[[nodiscard]] ProgramRequest
mpirunFor(const LaunchRequest& request,
          const std::vector<std::pair<std::string, std::string>>& environment);

/// What mpirun said, without the lines in which its libraries report where in their own sources the
/// loss of a rank was noticed ("PMIX ERROR: UNREACHABLE in file ... at line 198").
[[nodiscard]] std::string withoutTraces(std::string_view words);

/// As one would type it in a shell.
[[nodiscard]] std::string shellLine(std::span<const std::string> arguments);

} // namespace weft
