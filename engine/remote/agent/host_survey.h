// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this host offers for runs. Written at one end of a connection and read, without trust, at
// the other.

#include "base/text/json.h"
#include <weft/hosts.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace weft {

/// Surveys this host. `runs` is the folder of the runs, which need not exist; `partition` that of
/// the jobs (empty: Slurm's default). Waits for the devices and up to 5 s for Slurm.
[[nodiscard]] Json hostSurvey(const std::filesystem::path& runs, std::string_view partition = {});

/// Throws Error{format} if this is not a survey, or describes an impossible machine.
[[nodiscard]] HostReport hostReportFrom(const Json& survey); ///< reads the answer

/// The format for sinfo, and of its answer.
inline constexpr std::string_view partitionFormat = "%P|%a|%F|%c|%m|%G|%l";
/// Skips lines in another format.
[[nodiscard]] std::vector<SlurmPartition> partitionsIn(std::string_view answer);

} // namespace weft
