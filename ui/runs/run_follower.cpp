// SPDX-License-Identifier: Apache-2.0
#include "runs/run_follower.h"

#include <algorithm>

namespace weft::ui {

namespace {

constexpr std::size_t mostBatches = 4;
constexpr std::chrono::milliseconds longestWait{50};
/// Ops that have run for a shorter time are not shown as running.
constexpr std::int64_t worthSeeing = 100'000'000;

/// Returns the seconds from the start of the first attempt to the start of this one.
double delayOf(std::uint32_t attempt, const std::vector<Attempt>& attempts) {
    for (const Attempt& one : attempts) {
        if (one.number == attempt) {
            const std::int64_t delay = one.wallClock - attempts.front().wallClock;
            return static_cast<double>(std::max<std::int64_t>(delay, 0)) * 1e-9;
        }
    }
    return 0;
}

StepBatch::Column& columnOf(StepBatch& batch, std::uint32_t metric) {
    for (StepBatch::Column& column : batch.columns) {
        if (column.metric == metric) {
            return column;
        }
    }
    batch.columns.push_back({metric, {}, {}});
    return batch.columns.back();
}

void add(StepBatch& batch, const StepRecord& record, double delay) {
    const auto row = static_cast<std::uint32_t>(batch.rows.size());
    batch.rows.steps.push_back(record.step);
    batch.rows.epochs.push_back(record.epoch);
    batch.rows.seconds.push_back(delay + static_cast<double>(record.time) * 1e-9);
    if (record.split == Split::train) {
        batch.stepSeconds.push_back(record.seconds);
    }
    for (const MetricValue& value : record.values) {
        StepBatch::Column& column = columnOf(batch, value.metric);
        // If a metric is reported twice in a step, the last value counts.
        if (!column.rows.empty() && column.rows.back() == row) {
            column.values.back() = value.value;
            continue;
        }
        column.rows.push_back(row);
        column.values.push_back(value.value);
    }
}

/// Returns the ops in progress: for a live run only long ones, for a lost run all; none if the run
/// ended normally.
std::vector<RunningOp> runningOpsOf(const RunReader& reader, RunState state) {
    if (state != RunState::living && state != RunState::lost) {
        return {};
    }
    std::vector<RunningOp> runningOps = reader.runningOps();
    if (state == RunState::living) {
        std::erase_if(runningOps,
                      [](const RunningOp& one) { return one.time.count < worthSeeing; });
    }
    return runningOps;
}

bool areSame(const std::vector<RunningOp>& some, const std::vector<RunningOp>& others) {
    return std::ranges::equal(some, others, [](const RunningOp& a, const RunningOp& b) {
        return a.rank == b.rank && a.device == b.device && a.stream == b.stream && a.site == b.site;
    });
}

} // namespace

std::vector<std::pair<Split, StepBatch>> columnsOf(const std::vector<StepRecord>& steps,
                                                   const std::vector<Attempt>& attempts) {
    std::vector<std::pair<Split, StepBatch>> batches;
    // The open batch of each split; evaluations between training steps do not split a batch.
    std::ptrdiff_t open[2] = {-1, -1};
    for (const StepRecord& record : steps) {
        std::ptrdiff_t& mine = open[record.split == Split::train ? 0 : 1];
        if (mine < 0 ||
            batches[static_cast<std::size_t>(mine)].second.rows.steps.back() >= record.step) {
            mine = static_cast<std::ptrdiff_t>(batches.size());
            batches.emplace_back(record.split, StepBatch{});
        }
        add(batches[static_cast<std::size_t>(mine)].second, record,
            delayOf(record.attempt, attempts));
    }
    return batches;
}

RunFollower::RunFollower(std::filesystem::path folder)
    : folder_(std::move(folder)), thread_([this](const std::stop_token& stop) { readRun(stop); }) {}

RunFollower::~RunFollower() { stop(); }

void RunFollower::stop() { thread_.request_stop(); }

bool RunFollower::hasEnded() const {
    const std::scoped_lock lock(mutex_);
    return hasEnded_;
}

std::vector<RunBatch> RunFollower::take() {
    std::vector<RunBatch> taken;
    {
        const std::scoped_lock lock(mutex_);
        taken.swap(batches_);
    }
    batchesTaken_.notify_all();
    return taken;
}

void RunFollower::queueBatch(RunBatch batch, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    batchesTaken_.wait(lock, stop, [this] { return batches_.size() < mostBatches; });
    batches_.push_back(std::move(batch));
}

void RunFollower::readRun(const std::stop_token& stop) {
    try {
        RunReader reader(folder_, true);
        std::vector<Attempt> attempts;
        RunState reported = RunState::lost;
        std::string why; // message of the last error
        std::vector<RunningOp> stood;
        bool isFirst = true;
        while (!stop.stop_requested()) {
            RunBatch batch;
            // Reads the state first, so that all events before the run's end are read after it.
            batch.state = reader.state();
            batch.news = reader.read();
            const bool isMore = batch.news.isMore;
            if (batch.state != RunState::living && !isMore) {
                batch.state = reader.state();
            }
            batch.runningOps = runningOpsOf(reader, batch.state);
            batch.copy = copyOf(folder_);
            const std::string now = batch.copy ? batch.copy->why : std::string();
            if (isFirst || batch.state != reported || now != why || !batch.news.isEmpty() ||
                !areSame(batch.runningOps, stood)) {
                isFirst = false;
                reported = batch.state;
                why = now;
                stood = batch.runningOps;
                attempts.insert(attempts.end(), batch.news.attempts.begin(),
                                batch.news.attempts.end());
                batch.metrics = reader.metrics();
                batch.figures = reader.figures();
                batch.steps = columnsOf(batch.news.steps, attempts);
                batch.news.steps.clear();
                batch.totals = totalsOf(batch.news.timeline);
                queueBatch(std::move(batch), stop);
            }
            if (!isMore) {
                reader.waitForGrowth(longestWait);
            }
        }
    } catch (const std::exception& error) {
        RunBatch batch;
        batch.fault = error.what();
        batch.state = RunState::lost;
        queueBatch(std::move(batch), stop);
    }
    const std::scoped_lock lock(mutex_);
    hasEnded_ = true;
}

} // namespace weft::ui
