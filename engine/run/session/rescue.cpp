// SPDX-License-Identifier: Apache-2.0
#include "run/session/rescue.h"

#include <fmt/format.h>

namespace weft {

namespace {

/// True for failures that do not affect the numbers of the last whole step.
bool leavesNumbersGood(ErrorCode code) {
    return code == ErrorCode::peer || code == ErrorCode::timeout || code == ErrorCode::device ||
           code == ErrorCode::stopped;
}

std::string lastGood(const std::filesystem::path& folder) {
    try {
        const SavedCheckpoint last = lastCheckpoint(folder);
        return fmt::format("weft resume {} continues from step {}", folder.string(), last.step);
    } catch (const Error&) {
        return "there is no checkpoint to resume from";
    }
}

} // namespace

std::string rescue(TrainingRun& run, RunAttempt& attempt, const Error& cause) {
    if (attempt.folder().empty()) {
        return {};
    }
    if (!leavesNumbersGood(cause.code())) {
        return lastGood(attempt.folder());
    }
    try {
        attempt.noteCheckpoint(run.steps(), run.rescue());
        return fmt::format("step {} was saved before the run ended: {}", run.steps(),
                           lastGood(attempt.folder()));
    } catch (const Error& error) {
        return fmt::format("step {} could not be saved ({}): {}", run.steps(), error.problem(),
                           lastGood(attempt.folder()));
    }
}

} // namespace weft
