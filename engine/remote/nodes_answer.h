// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the nodes of a partition of Slurm's have, as one of them says itself: a job of a minute asks
// it, and leaves the answer beside the runs, as <runs>/.nodes/<partition>.json.

#include "base/json.h"
#include <weft/exchange.h>
#include <weft/hosts.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Where jobs go: the partition of that name, or, where none is named, the default; null where
/// there is none.
[[nodiscard]] const SlurmPartition* partitionOfJobs(std::string_view named,
                                                    const std::vector<SlurmPartition>& partitions);

/// In the folder of runs: of the answers, and of the jobs that bring them.
[[nodiscard]] std::filesystem::path nodesFolder(const std::filesystem::path& runs);
[[nodiscard]] std::filesystem::path nodesAnswerFile(const std::filesystem::path& runs,
                                                    const std::string& partition);

/// The script of a job that asks a node of it, whole and with its chips. Error{usage} where one of
/// the names can stand in no such script.
[[nodiscard]] ExportedFile nodesScript(const SlurmPartition& partition, const std::string& account);

/// The answer with its partition, as the survey of its host has it; null where nobody answered.
/// What is no answer is told as its `fault`.
[[nodiscard]] Json nodesSurvey(const std::filesystem::path& runs, const std::string& partition);

} // namespace weft
