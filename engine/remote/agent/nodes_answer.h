// SPDX-License-Identifier: Apache-2.0
#pragma once
// The hardware of a Slurm partition's nodes, as a node reports it: a job of a minute surveys its
// node and writes the answer to <runs>/.nodes/<partition>.json.

#include "base/text/json.h"
#include <weft/exchange.h>
#include <weft/hosts.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns the partition that jobs go to: the named one or, without a name, the default. nullptr if
/// there is none.
[[nodiscard]] const SlurmPartition* partitionOfJobs(std::string_view named,
                                                    const std::vector<SlurmPartition>& partitions);

/// Returns the folder in the runs folder for these answers and jobs.
[[nodiscard]] std::filesystem::path nodesFolder(const std::filesystem::path& runs);
[[nodiscard]] std::filesystem::path nodesAnswerFile(const std::filesystem::path& runs,
                                                    const std::string& partition);

/// Returns the script of a job that surveys a whole node with its GPUs. Throws Error{usage} if a
/// name is not allowed in such a script.
[[nodiscard]] ExportedFile nodesScript(const SlurmPartition& partition, const std::string& account);

/// Returns the answer with its partition, as in a host's survey; null without an answer. An invalid
/// answer is described in `fault`.
[[nodiscard]] Json nodesSurvey(const std::filesystem::path& runs, const std::string& partition);

} // namespace weft
