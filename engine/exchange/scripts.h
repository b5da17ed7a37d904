// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scripts of an export, one file per target.

#include <weft/exchange.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns the words after "weft run design.weft", quoted for a shell, except --run and --data.
[[nodiscard]] std::string runOptions(const ExportRequest& request);
/// Returns the options that only a new run takes, such as --weights.
[[nodiscard]] std::string newRunOptions(const ExportRequest& request);
/// Returns the words after "weft" that check whether a host, or every host as ranks, has the run's
/// devices; empty if the run only uses CPUs.
[[nodiscard]] std::vector<std::string> deviceCheckWords(const ExportRequest& request);
[[nodiscard]] std::string jobName(const ExportRequest& request);
/// Shell condition: the run whose folder is in $run has a checkpoint to resume from.
inline constexpr std::string_view hasCheckpointTest =
    R"sh([ -n "$run" ] && [ -n "$(ls -- "$run/checkpoints" 2> /dev/null)" ])sh";

[[nodiscard]] std::string machineScript(const ExportRequest& request);
[[nodiscard]] std::string mpirunScript(const ExportRequest& request);
[[nodiscard]] std::string hostfile(const ExportRequest& request);
[[nodiscard]] std::string slurmScript(const ExportRequest& request);
[[nodiscard]] std::string kubernetesJob(const ExportRequest& request);

} // namespace weft
