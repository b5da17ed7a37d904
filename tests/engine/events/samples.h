// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small logs for the tests of this folder: events put by a real log, and what a reader makes of
// them.

#include "events/log.h"
#include <weft/runs.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft::test {

/// Settings that write at once and ask nothing of the disk but to take bytes.
[[nodiscard]] LogSettings quickSettings(std::uint32_t attempt = 1, std::int64_t stepsBefore = 0);

/// Steps first .. last with a loss each (1 / step) and an end if there is one, in a log that is
/// closed when this returns.
void writeSteps(const std::filesystem::path& folder, LogSettings settings, std::int64_t first,
                std::int64_t last, std::optional<EndReason> end = {});

/// Everything a reader of the folder gives until there is no more.
struct Everything {
    RunNews news;
    std::vector<MetricInfo> metrics;
    std::uint64_t damaged = 0;
};
[[nodiscard]] Everything readAll(const std::filesystem::path& folder, bool withSpans = false);

} // namespace weft::test
