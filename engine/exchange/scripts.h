// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scripts of an export, one file per target.

#include <weft/exchange.h>

#include <string>

namespace weft {

/// The words after "weft run design.weft", quoted for a shell, but --run and --data.
[[nodiscard]] std::string runOptions(const ExportRequest& request);
/// The words after "weft" that ask a host, or every host as ranks, whether it has the devices that
/// the run gives it; empty where all have them, being of processors.
[[nodiscard]] std::vector<std::string> deviceQuestion(const ExportRequest& request);
[[nodiscard]] std::string jobName(const ExportRequest& request);

[[nodiscard]] std::string machineScript(const ExportRequest& request);
[[nodiscard]] std::string mpirunScript(const ExportRequest& request);
[[nodiscard]] std::string hostfile(const ExportRequest& request);
[[nodiscard]] std::string slurmScript(const ExportRequest& request);
[[nodiscard]] std::string kubernetesJob(const ExportRequest& request);

} // namespace weft
