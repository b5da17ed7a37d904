// SPDX-License-Identifier: Apache-2.0
#pragma once
// Questions to Slurm's programs, and parsers for their answers. Times are in seconds of Unix time.

#include "remote/jobs/job_status.h"
#include "remote/query_program.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Jobs that wait, run or have just ended, and the partition of each.
struct QueuedJob {
    JobStatus status; ///< place not set
    std::string partition;
};
[[nodiscard]] ProgramQuestion queueQuestion(const std::vector<std::string>& numbers);
[[nodiscard]] std::map<std::string, QueuedJob> queueIn(std::string_view answer);

/// Asks for all waiting jobs of a partition, in the order of their start.
[[nodiscard]] ProgramQuestion placeQuestion(const std::string& partition);
/// Returns the position, counted from 1, or 0 if the job is not among them.
[[nodiscard]] std::int64_t placeIn(std::string_view answer, std::string_view number);

/// Ask for the end of a job: the controller knows it for some minutes, the accounting database, if
/// there is one, permanently. None if the answer does not say.
[[nodiscard]] ProgramQuestion controllerQuestion(const std::string& number); ///< scontrol
[[nodiscard]] std::optional<JobStatus> endInControllerAnswer(std::string_view answer);
[[nodiscard]] ProgramQuestion accountingQuestion(const std::string& number);
[[nodiscard]] std::optional<JobStatus> endInAccounting(std::string_view answer);

[[nodiscard]] ProgramQuestion folderQuestion(); ///< asks for this user's jobs and their folders
/// Returns the number of the last job that was started in the folder.
[[nodiscard]] std::optional<std::string> jobNumberStartedIn(std::string_view answer,
                                                            std::string_view folder);

/// Returns the number from the output of `sbatch --parsable`, whatever a site prints before it.
[[nodiscard]] std::optional<std::string> submittedNumber(std::string_view answer);
/// True for digits only, which are safe in a question.
[[nodiscard]] bool isJobNumber(std::string_view text); ///< digits only

} // namespace weft
