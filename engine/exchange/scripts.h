// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scripts of an export, one file per target.

#include <weft/exchange.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The words after "weft run design.weft", quoted for a shell, but --run and --data.
[[nodiscard]] std::string runOptions(const ExportRequest& request);
/// Further ones of a run that begins.
[[nodiscard]] std::string beginOptions(const ExportRequest& request);
/// The words after "weft" that ask a host, or every host as ranks, whether it has the devices that
/// the run gives it; empty where all have them, being of processors.
[[nodiscard]] std::vector<std::string> deviceQuestion(const ExportRequest& request);
[[nodiscard]] std::string jobName(const ExportRequest& request);
/// In a shell: whether the run whose folder is in $run has a checkpoint to go on from.
inline constexpr std::string_view hasSaved =
    R"sh([ -n "$run" ] && [ -n "$(ls -- "$run/checkpoints" 2> /dev/null)" ])sh";

[[nodiscard]] std::string machineScript(const ExportRequest& request);
[[nodiscard]] std::string mpirunScript(const ExportRequest& request);
[[nodiscard]] std::string hostfile(const ExportRequest& request);
[[nodiscard]] std::string slurmScript(const ExportRequest& request);
[[nodiscard]] std::string kubernetesJob(const ExportRequest& request);

} // namespace weft
