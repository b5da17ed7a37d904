// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a run's folder on a separate thread from the first event and while it grows. Collects the
// events in batches until they are taken, and pauses after a few batches. Does not use Qt.

#include "runs/series_store.h"
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
    std::vector<MetricInfo> metrics;                ///< all known metrics
    std::vector<std::pair<Split, StepBatch>> steps; ///< columns of new steps
    RunNews news; ///< other events; its `steps` are moved to `steps` above; times are relative to
                  ///< the attempt's start
    std::vector<StepTotals> totals; ///< per step and device
    RunFigures figures;             ///< from everything read so far
    RunState state = RunState::living;
    std::vector<RunningOp> runningOps; ///< ops in progress, or in progress when the run died
    std::optional<RunCopy> copy = {};  ///< state of the local copy, for a remote run
    std::string fault = {};            ///< why reading has failed
};

class RunFollower {
public:
    explicit RunFollower(std::filesystem::path folder);
    ~RunFollower();
    RunFollower(const RunFollower&) = delete;
    RunFollower& operator=(const RunFollower&) = delete;

    [[nodiscard]] std::vector<RunBatch> take(); ///< returns the new batches without waiting
    void stop(); ///< asks the thread to end and returns at once; `hasEnded` says when it has
    [[nodiscard]] bool hasEnded() const;

private:
    void readRun(const std::stop_token& stop);
    void queueBatch(RunBatch batch, const std::stop_token& stop);

    std::filesystem::path folder_;
    mutable std::mutex mutex_;
    std::condition_variable_any batchesTaken_;
    std::vector<RunBatch> batches_;
    bool hasEnded_ = false;
    std::jthread thread_;
};

/// Converts steps to columns; starts a new batch when the step number decreases or the split
/// changes. `begun`: start of the first attempt in nanoseconds of the wall clock.
[[nodiscard]] std::vector<std::pair<Split, StepBatch>>
columnsOf(const std::vector<StepRecord>& steps, const std::vector<Attempt>& attempts);

} // namespace weft::ui
