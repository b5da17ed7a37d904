// SPDX-License-Identifier: Apache-2.0
#include "events/last_words.h"

#include "base/failure_text.h"
#include "events/log.h"
#include "events/log_reader.h"
#include <weft/error.h>
#include <weft/runs.h>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace weft {

namespace {

/// Returns the attempt of the last event in rank 0's log; 0 if there is none.
std::uint32_t lastAttemptIn(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (!std::filesystem::exists(logPath(folder, 0), ignored)) {
        return 0;
    }
    LogReader log(logPath(folder, 0));
    constexpr std::size_t part = std::size_t{1} << 20U;
    while (log.read(part, [](const EventView&) {})) {
    }
    return log.attempt();
}

} // namespace

void logFailureOfDeadRun(const std::filesystem::path& folder, const Error& cause) {
    const std::optional<RunSummary> run = summaryOf(folder);
    if (!run || run->state != RunState::lost) {
        return;
    }
    const std::int64_t step = std::max<std::int64_t>(run->lastStep, 0);
    LogSettings settings;
    settings.attempt.number = run->attempts;
    settings.attempt.stepsBefore = step;
    settings.isNewAttempt = lastAttemptIn(folder) != run->attempts;
    EventLog log(folder, settings);
    EventChannel& channel = log.makeChannel("last words");
    channel.failure(step, failureText(cause));
    channel.end(EndReason::failed, step, cause.what());
    log.close(std::chrono::seconds(5));
}

} // namespace weft
