// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes what a trainer reports to the run's log: numbers of every step, spans as often as the
// spacing allows, sums per layer. Names are interned before the first step; afterwards nothing is
// allocated.

#include "comm/host/clock_probe.h"
#include "comm/world.h"
#include "events/log.h"
#include "events/recorder.h"
#include "run/train/trainer.h"
#include "run/train/watchdog.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Converts the times of this rank's log to rank 0's clock. If both ranks read the same steady
/// clock, only the begins of their logs differ; otherwise the host channel measures the offset
/// every few seconds. The thread that writes spans asks for it, so that a measure precedes the
/// first span that needs it.
class LogClock {
public:
    /// All ranks construct it at the same point. The watchdog must outlive it.
    LogClock(const EventLog& log, World& world, Watchdog& watchdog);

    /// Call once, before the first step. None on rank 0 and if the offset could not be measured.
    [[nodiscard]] std::optional<ClockMeasure> firstMeasure();
    /// Returns a measure that is newer than the last one returned, if there is one.
    [[nodiscard]] std::optional<ClockMeasure> newMeasure();
    /// True if this rank's clock is not rank 0's.
    [[nodiscard]] bool isMeasured() const { return isMeasured_; }

private:
    [[nodiscard]] std::optional<ClockMeasure> ofLog(std::optional<ClockMeasure> measure) const;

    Watchdog& watchdog_;
    bool isFirst_;
    bool isMeasured_ = false;
    std::int64_t difference_ = 0; ///< between the begins of the two logs, each by its own clock
};

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
