// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Slurm's programs are asked and what their answers mean. Times are asked for, and come, in
// seconds of Unix time.

#include "remote/job_word.h"
#include "remote/query_program.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Jobs that wait or run or have just ended, and the partition of each.
struct QueuedJob {
    JobWord word;
    std::string partition;
};
[[nodiscard]] ProgramQuestion queueQuestion(const std::vector<std::string>& numbers);
[[nodiscard]] std::map<std::string, QueuedJob> queueIn(std::string_view answer);

/// All that wait in a partition, in the order in which they are to begin.
[[nodiscard]] ProgramQuestion placeQuestion(const std::string& partition);
/// Counted from 1; 0 where it is not among them.
[[nodiscard]] std::int64_t placeIn(std::string_view answer, std::string_view number);

/// How a job ended: the controller knows for some minutes, the accounts for ever, where there are
/// some. Nothing where the answer does not say.
[[nodiscard]] ProgramQuestion sheetQuestion(const std::string& number);
[[nodiscard]] std::optional<JobWord> endInSheet(std::string_view answer);
[[nodiscard]] ProgramQuestion accountQuestion(const std::string& number);
[[nodiscard]] std::optional<JobWord> endInAccount(std::string_view answer);

/// This user's jobs and the folder that each was begun in.
[[nodiscard]] ProgramQuestion folderQuestion();
/// The number of the last one that was begun in the folder.
[[nodiscard]] std::optional<std::string> numberBegunIn(std::string_view answer,
                                                       std::string_view folder);

/// The number in what `sbatch --parsable` says, whatever a site has it say before.
[[nodiscard]] std::optional<std::string> submittedNumber(std::string_view answer);
/// Digits alone: what may be asked for.
[[nodiscard]] bool isJobNumber(std::string_view text);

} // namespace weft
