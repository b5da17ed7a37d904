// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the host that this program runs on has for runs: written at one end of a line, read at the
// other, without trust.

#include "base/json.h"
#include <weft/hosts.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace weft {

/// Surveys this host. `runs`: folder of the runs, which may not exist; `partition`: of the jobs,
/// empty: Slurm's default. Takes as long as its devices and, up to 5 s, Slurm need to answer.
[[nodiscard]] Json hostSurvey(const std::filesystem::path& runs, std::string_view partition = {});

/// Error{format} where it is none, or says of a machine what no machine has.
[[nodiscard]] HostReport hostReportFrom(const Json& survey);

/// The format in which sinfo is asked, and what it answers.
inline constexpr std::string_view partitionFormat = "%P|%a|%F|%c|%m|%G|%l";
/// What is no such line is left out.
[[nodiscard]] std::vector<SlurmPartition> partitionsIn(std::string_view answer);

} // namespace weft
