// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a run's folder on a thread of its own, from the first event on and as it grows, and keeps
// what it read in batches until somebody takes them. It reads no further ahead than a few batches.
// Free of Qt.

#include "session/series_store.h"
#include <weft/runs.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weft::ui {

struct RunBatch {
    std::vector<MetricInfo> metrics; ///< all that are known
    std::vector<std::pair<Split, StepBatch>> steps;
    RunNews news; ///< the rest; its `steps` are above, its times since their attempt began
    std::vector<StepTotals> totals;
    RunFigures figures; ///< of all that was read until then
    RunState state = RunState::living;
    std::vector<RunStand> stands;     ///< where it has been for a while, or was when it died
    std::optional<RunCopy> copy = {}; ///< of a run on another host
    std::string fault = {};           ///< why nothing more will be read
};

class RunFollower {
public:
    explicit RunFollower(std::filesystem::path folder);
    ~RunFollower();
    RunFollower(const RunFollower&) = delete;
    RunFollower& operator=(const RunFollower&) = delete;

    /// What has come since; at once.
    [[nodiscard]] std::vector<RunBatch> take();
    /// Asks the thread to end and returns at once; `hasEnded` says when it has.
    void stop();
    [[nodiscard]] bool hasEnded() const;

private:
    void follow(const std::stop_token& stop);
    void keep(RunBatch batch, const std::stop_token& stop);

    std::filesystem::path folder_;
    mutable std::mutex mutex_;
    std::condition_variable_any taken_;
    std::vector<RunBatch> batches_;
    bool hasEnded_ = false;
    std::jthread thread_;
};

/// Steps as columns; a new batch where the steps go back or the split changes. `begun`: the wall
/// clock at which the first attempt began, in nanoseconds.
[[nodiscard]] std::vector<std::pair<Split, StepBatch>>
columnsOf(const std::vector<StepRecord>& steps, const std::vector<Attempt>& attempts);

} // namespace weft::ui
