// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mpirun arguments for a run: they allow few cores and root, and after the death of one rank
// they give the others time to report and save.

#include "base/process/supervised_program.h"
#include <weft/launch.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Returns the path of mpirun, searched on PATH. Throws Error{device} that says how to install it.
[[nodiscard]] std::filesystem::path findMpirun();

/// Returns the command line, beginning with mpirun.
[[nodiscard]] std::vector<std::string> mpirunArguments(const LaunchRequest& request, bool isRoot);

/// True if some ranks run on other hosts.
[[nodiscard]] bool isAcrossHosts(const LaunchRequest& request);

/// Returns mpirun with its arguments and temporary folders for MPI's files on this host.
/// `environment` is passed to all ranks, also on other hosts, and appears in no command line. The
/// output of mpirun itself goes elsewhere, so that the terminal shows only the ranks.
[[nodiscard]] ProgramRequest
mpirunFor(const LaunchRequest& request,
          const std::vector<std::pair<std::string, std::string>>& environment);

/// Returns the output of mpirun without the lines in which its libraries name the source line that
/// noticed the loss of a rank ("PMIX ERROR: UNREACHABLE in file ... at line 198").
[[nodiscard]] std::string withoutTraces(std::string_view words);

/// Returns the arguments as one would type them in a shell.
[[nodiscard]] std::string shellLine(std::span<const std::string> arguments);

} // namespace weft
