// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes what a trainer reports to the run's log: numbers of every step, spans as often as the
// spacing allows, sums per layer. Names are interned before the first step; afterwards nothing is
// allocated.

#include "events/log.h"
#include "events/recorder.h"
#include "run/session/log_clock.h"
#include "run/train/trainer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class RunLog final : public TrainerListener {
public:
    /// The log must outlive this object.
    RunLog(EventLog& log, const ProgramSet& programSet, const WorkerPool& pool, LogClock clock);

    /// Returns the log's name index of every step, by worker and variant.
    [[nodiscard]] std::vector<std::vector<std::vector<NameIndex>>> stepNames() const;

    void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) override;
    void onEvaluation(const StepReport& report) override;
    void onCheckpoint(std::int64_t step, const std::string& path) override;
    /// True for the first steps and then for one in sixteen: a timed step cannot be replayed as a
    /// graph.
    [[nodiscard]] bool wantsTimes(std::int64_t step) const override;
    void onTensor(std::int64_t step, const std::string& path) override;
    void onMessage(const std::string& text) override;
    void onPause(bool isPaused, std::int64_t step) override;
    void end(EndReason reason, std::int64_t step, const std::string& text);
    void fail(const Error& error, std::int64_t step);

private:
    void addMetric(EventLog& log, const std::string& name, bool lessIsBetter,
                   const std::string& equals = {});
    [[nodiscard]] SpanTime feedTime(const WorkerPool& pool, std::size_t worker);
    void putMetrics(const StepReport& report, Split split);

    void putClock(const std::optional<ClockMeasure>& measure);
    void reportDroppedSpans(std::int64_t step);

    EventLog& log_;
    EventChannel& channel_;
    LogClock clock_;
    NameIndex loss_;
    NameIndex learningRate_;
    NameIndex norm_;
    NameIndex throughput_;
    std::vector<std::pair<std::string, NameIndex>> metrics_;
    struct Recorders {
        SpanRecorder steps;
        SpanRecorder parts; ///< parts that a device replays
    };
    std::vector<std::vector<Recorders>> recorders_; ///< per worker and variant
    std::vector<std::int64_t> fed_;  ///< per worker: when the last logged batch had arrived
    std::int64_t lastStepTime_ = 0;  ///< when the previous step was logged
    std::vector<SpanTime> withFeed_; ///< spans of a step, its feed last
};

} // namespace weft
