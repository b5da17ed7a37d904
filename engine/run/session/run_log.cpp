// SPDX-License-Identifier: Apache-2.0
#include "run/session/run_log.h"

#include "base/failure_text.h"
#include "base/process/steady_clock.h"
#include "run/train/agreement.h"
#include "schedule/predict/simulate.h"
#include "schedule/program_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

constexpr std::size_t spanBytes = std::size_t{8} << 20U;

/// Appends the feed stream, if the device takes batches ahead.
void addFeed(std::vector<TimedSite>& timed, const Program& program) {
    if (program.feeding.bytes.count > 0) {
        timed.push_back({feedSite(program), feedStream(program)});
    }
}

std::vector<TimedSite> timedSitesOf(const Program& program) {
    std::vector<TimedSite> timed;
    std::vector<SpanSite> sites = spanSitesOf(program);
    for (std::size_t k = 0; k < sites.size(); ++k) {
        timed.push_back({std::move(sites[k]), program.steps[k].stream});
    }
    addFeed(timed, program);
    return timed;
}

std::vector<TimedSite> timedPartsOf(const Program& program) {
    std::vector<TimedSite> timed;
    if (program.isAsynchronous) {
        const std::vector<ProgramPart> parts = partsOf(program);
        std::vector<SpanSite> sites = spanSitesOf(program, parts);
        for (std::size_t k = 0; k < sites.size(); ++k) {
            timed.push_back({std::move(sites[k]), parts[k].stream});
        }
        addFeed(timed, program);
    }
    return timed;
}

/// Returns the total of the losses or energies; nullptr if the design has neither.
const Result* totalOf(const Graph& graph) {
    const auto total = std::ranges::find(graph.results, ResultKind::total, &Result::kind);
    return total == graph.results.end() ? nullptr : &*total;
}

/// Returns the name of the total: "loss", or "energy" if the design has no loss.
std::string firstNumberOf(const ProgramSet& programSet) {
    const Result* total = totalOf(*programSet.members.front().plan->graph);
    return total == nullptr ? "loss" : total->name;
}

} // namespace

LogClock::LogClock(const EventLog& log, World& world, Watchdog& watchdog)
    : watchdog_(watchdog), isFirst_(world.rank() == 0) {
    if (world.ranks() == 1) {
        return;
    }
    const RankIdentity mine{.clock = steadyClockName()};
    const ClockBegin first = broadcastClock({mine.clock, log.clockBegin()}, world);
    isMeasured_ = !isFirst_ && !mine.sharesClockWith({.clock = first.name});
    difference_ = log.clockBegin() - first.begin;
}

std::optional<ClockMeasure> LogClock::firstMeasure() {
    constexpr std::chrono::seconds limit{10};
    if (isFirst_) {
        return std::nullopt;
    }
    return ofLog(isMeasured_ ? watchdog_.awaitClock(limit) : ClockMeasure{});
}

std::optional<ClockMeasure> LogClock::newMeasure() {
    return isMeasured_ ? ofLog(watchdog_.newClock()) : std::nullopt;
}

std::optional<ClockMeasure> LogClock::ofLog(std::optional<ClockMeasure> measure) const {
    if (measure) {
        measure->offset += difference_;
    }
    return measure;
}

RunLog::RunLog(EventLog& log, const ProgramSet& programSet, const WorkerPool& pool, LogClock clock)
    : log_(log),
      channel_(log.makeChannel("trainer", spanBytes)),
      clock_(clock),
      loss_(log.intern(firstNumberOf(programSet), "", true)),
      learningRate_(log.intern("learning_rate")),
      norm_(log.intern("gradient_norm")),
      throughput_(log.intern("throughput", "examples/s")) {
    const std::optional<ClockMeasure> measure = clock_.firstMeasure();
    putClock(measure);
    if (clock_.isMeasured() && !measure) {
        channel_.text(TextLevel::warning, 0,
                      "the clock of this rank could not be compared with that of rank 0: its times "
                      "may be shifted against those of rank 0");
    }
    for (const Variant& member : programSet.members) {
        const Result* total = totalOf(*member.plan->graph);
        for (const Result& result : member.plan->graph->results) {
            const bool isLoss =
                result.kind == ResultKind::loss || result.kind == ResultKind::energy;
            // The only loss is the total.
            const bool isTotal = total != nullptr && result.value == total->value;
            if (isLoss || result.kind == ResultKind::metric) {
                addMetric(log, result.name, isLessBetter(result), isTotal ? total->name : "");
            }
        }
    }
    for (const Slot& slot : programSet.members.front().plan->graph->slots) {
        slot.zerosName.empty() ? void() : addMetric(log, slot.zerosName, true);
    }
    for (std::size_t w = 0; w < pool.size(); ++w) {
        auto& mine = recorders_.emplace_back();
        ArenaNeed need;
        for (std::size_t m = 0; m < pool.variantCount(); ++m) {
            const Program& program = pool.program(w, m).program();
            mine.push_back({{log, channel_, program.device, timedSitesOf(program)},
                            {log, channel_, program.device, timedPartsOf(program)}});
            need.growFor(program);
        }
        fed_.push_back(0);
        channel_.memory(pool.device(w).id.value, log.intern("planned", "B"), need.deviceBytes());
    }
}

void RunLog::addMetric(EventLog& log, const std::string& name, bool lessIsBetter,
                       const std::string& equals) {
    const auto known = std::ranges::find(metrics_, name, &std::pair<std::string, NameIndex>::first);
    if (known == metrics_.end()) {
        metrics_.emplace_back(name, log.intern(name, "", lessIsBetter, equals));
    }
}

std::vector<std::vector<std::vector<NameIndex>>> RunLog::stepNames() const {
    std::vector<std::vector<std::vector<NameIndex>>> names;
    for (const auto& worker : recorders_) {
        auto& mine = names.emplace_back();
        for (const Recorders& member : worker) {
            mine.push_back(member.steps.names());
        }
    }
    return names;
}

void RunLog::putClock(const std::optional<ClockMeasure>& measure) {
    if (measure) {
        channel_.clock({measure->offset}, {measure->error});
    }
}

void RunLog::putMetrics(const StepReport& report, Split split) {
    channel_.metric(report.step, loss_, report.loss, split);
    for (const auto& [name, value] : report.metrics) {
        const auto known =
            std::ranges::find(metrics_, name, &std::pair<std::string, NameIndex>::first);
        // A metric without a value, such as decibels without noise, is NaN and is not logged.
        if (known != metrics_.end() && known->second != loss_ && !std::isnan(value)) {
            channel_.metric(report.step, known->second, value, split);
        }
    }
}

void RunLog::onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) {
    putMetrics(report, Split::train);
    channel_.metric(report.step, learningRate_, report.learningRate);
    if (report.gradientNorm) {
        channel_.metric(report.step, norm_, *report.gradientNorm);
    }
    channel_.metric(report.step, throughput_,
                    static_cast<double>(report.rows) / std::max(report.seconds, 1e-9));
    channel_.step(report.step, static_cast<float>(report.seconds),
                  static_cast<float>(report.epoch));
    putClock(clock_.newMeasure());
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const BoundProgram& program = pool.program(w, member);
        Recorders& mine = recorders_[w][member];
        std::span<const SpanTime> times = program.timings();
        if (program.program().feeding.bytes.count > 0) {
            withFeed_.assign(times.begin(), times.end());
            withFeed_.push_back(feedTime(pool, w));
            times = withFeed_;
        }
        (program.isTimed() ? mine.steps : mine.parts).record(report.step, times);
    }
    lastStepTime_ = nowNanoseconds();
}

/// Returns the part of the feeding time that a step had to wait for.
SpanTime RunLog::feedTime(const WorkerPool& pool, std::size_t worker) {
    SpanTime time = pool.waitingBatch().copyTime(worker);
    std::int64_t& last = fed_[worker];
    if (time.end <= last) {
        return {}; // the batch is still being copied
    }
    time.begin = std::max(time.begin, time.end > lastStepTime_ ? lastStepTime_ : last);
    last = time.end;
    return time;
}

bool RunLog::wantsTimes(std::int64_t step) const {
    constexpr std::int64_t oneIn = 16;
    return log_.spacing().isAmongFirst(step) || step % oneIn == 0;
}

void RunLog::onEvaluation(const StepReport& report) {
    putMetrics(report, Split::evaluate);
    channel_.step(report.step, static_cast<float>(report.seconds), static_cast<float>(report.epoch),
                  Split::evaluate);
}

void RunLog::onCheckpoint(std::int64_t step, const std::string& path) {
    channel_.checkpoint(step, path);
}

void RunLog::onTensor(std::int64_t step, const std::string& path) { channel_.tensor(step, path); }

void RunLog::onMessage(const std::string& text) { channel_.text(TextLevel::note, 0, text); }

void RunLog::onPause(bool isPaused, std::int64_t step) { channel_.pause(isPaused, step); }

void RunLog::end(EndReason reason, std::int64_t step, const std::string& text) {
    for (auto& worker : recorders_) {
        for (Recorders& member : worker) {
            member.steps.flush();
            member.parts.flush();
        }
    }
    reportDroppedSpans(step);
    channel_.end(reason, step, text);
}

/// Logs why a timeline has gaps.
void RunLog::reportDroppedSpans(std::int64_t step) {
    if (channel_.droppedSteps() > 0) {
        channel_.text(TextLevel::warning, step,
                      fmt::format("the times of {} steps were dropped: they arrived faster than "
                                  "they could be written",
                                  channel_.droppedSteps()));
    }
    if (log_.droppedSpans().count > 0) {
        channel_.text(TextLevel::warning, step,
                      fmt::format("{} of the times of steps could not be written to the disk",
                                  toString(log_.droppedSpans())));
    }
}

void RunLog::fail(const Error& error, std::int64_t step) {
    channel_.failure(step, failureText(error));
}

} // namespace weft
