// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"
#include "events/activity_page.h"
#include "events/folder_watch.h"
#include "events/log.h"
#include "events/log_reader.h"
#include "events/log_text.h"
#include "events/mirror_status.h"
#include "events/rank_clock.h"
#include "events/run_directory.h"
#include "events/run_sites.h"
#include "events/run_tally.h"
#include "events/span_reader.h"
#include "events/survivor_steps.h"
#include <weft/runs.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t readAtOnce = std::size_t{4} << 20U;
// A rank that lags behind by more steps than this has lost some.
constexpr std::size_t mostPendingSteps = 256;

/// Returns the rank in "events.<rank>.weftlog"; -1 for other names.
int rankOf(const fs::path& path) {
    const std::string name = path.filename().string();
    constexpr std::string_view begin = "events.";
    int rank = -1;
    if (!name.starts_with(begin)) {
        return -1;
    }
    const auto [end, fault] =
        std::from_chars(name.data() + begin.size(), name.data() + name.size(), rank);
    return fault == std::errc() && std::string_view(end) == ".weftlog" ? rank : -1;
}

/// Returns the run's main metric (loss or energy) of a step, if reported.
std::optional<MainMetric> firstOf(const StepRecord& step, const std::vector<MetricInfo>& metrics) {
    const auto found =
        std::find_if(step.values.rbegin(), step.values.rend(), [&](const MetricValue& one) {
            return isMainMetric(metrics[one.metric].name);
        });
    if (found == step.values.rend()) {
        return std::nullopt;
    }
    return MainMetric{found->value, metrics[found->metric].name == "energy"};
}

} // namespace

/// The state of reading one rank's log.
struct RankLog {
    LogReader log;
    SpanReader spans;
    std::map<std::uint32_t, RankClock> clocks = {};      ///< keyed by attempt
    std::map<Split, std::vector<MetricValue>> open = {}; ///< metrics of steps that have not ended
};

struct RunReader::Reading {
    fs::path folder;
    bool withSpans;
    FolderWatch watch;
    std::map<int, RankLog> ranks = {};
    std::vector<MetricInfo> metrics = {};
    std::map<std::pair<std::string, std::string>, std::uint32_t> metricOf = {};
    std::map<std::uint32_t, Attempt> attempts = {};
    /// Begin of each attempt in the timeline, which has no gaps between attempts.
    std::map<std::uint32_t, std::int64_t> origins = {};
    std::int64_t lastTime = 0; ///< time in the timeline of rank 0's last event
    std::int64_t stepsEnd = 0; ///< end in the timeline of rank 0's last step
    bool isMoreLog = false;    ///< true: the logs have more to read
    SurvivorSteps survivors = {};
    RunTally tally = {};
    std::set<std::pair<std::uint32_t, std::string>> failures = {};
    std::optional<RunEnd> end = {};
    std::optional<RunEnd> failed =
        {}; ///< as reported by another rank, because rank 0 may have died
    /// Steps complete on some ranks: attempt and step, then rank.
    std::map<std::pair<std::uint32_t, std::int64_t>, std::map<int, std::vector<SpanEvent>>> steps =
        {};

    void findRanks();
    void take(int rank, RankLog& from, const EventView& event, RunNews& news);
    void takeMetric(int rank, RankLog& from, const EventView& event);
    void takeStep(int rank, RankLog& from, const EventView& event, RunNews& news);
    void addStep(StepRecord step, RunNews& news);
    void readOthersTo(std::uint32_t attempt, RunNews& news);
    void addSurvivorSteps(std::uint32_t attempt, RunNews& news);
    [[nodiscard]] bool hasFirstRankEnded() const;
    void takeMemory(int rank, RankLog& from, const EventView& event, RunNews& news);
    void takeText(int rank, RankLog& from, const EventView& event, RunNews& news);
    void takeProfile(RankLog& from, const EventView& event, RunNews& news);
    bool readSpans();
    bool readLogs(RunNews& news);
    void placeSpans(Timeline& timeline);
    void placeStep(const StepRecord& record, Timeline& timeline);
    void addWhole(std::uint32_t attempt, const std::map<int, std::vector<SpanEvent>>& parts,
                  SiteTable& sites, Timeline& timeline);
};

void RunReader::Reading::findRanks() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const int rank = rankOf(entry.path());
        if (rank >= 0 && !ranks.contains(rank)) {
            ranks.emplace(rank,
                          RankLog{LogReader(entry.path()), SpanReader(spansPath(folder, rank))});
        }
    }
}

void RunReader::Reading::takeMetric(int rank, RankLog& from, const EventView& event) {
    const auto said = event.as<MetricEvent>();
    const auto split = event.head.detail == 0 ? Split::train : Split::evaluate;
    if (rank != 0 && !survivors.lacks({from.log.attempt(), said.step, split})) {
        return;
    }
    const LogName* name = from.log.name(said.name);
    if (name == nullptr || name->text.empty()) {
        return;
    }
    const auto [entry, isNew] =
        metricOf.try_emplace({name->text, name->unit}, static_cast<std::uint32_t>(metrics.size()));
    if (isNew) {
        metrics.push_back({name->text, name->unit, name->lessIsBetter, name->equals});
    }
    from.open[split].push_back({entry->second, said.value});
}

void RunReader::Reading::takeStep(int rank, RankLog& from, const EventView& event, RunNews& news) {
    const auto said = event.as<StepEvent>();
    const auto split = event.head.detail == 0 ? Split::train : Split::evaluate;
    StepRecord step{from.log.attempt(),
                    split,
                    said.step,
                    event.head.time,
                    said.seconds,
                    said.epoch,
                    std::exchange(from.open[split], {})};
    const StepKey key{step.attempt, step.step, step.split};
    if (rank == 0) {
        survivors.isNewFromRank0(key) ? addStep(std::move(step), news) : void();
    } else if (survivors.lacks(key)) {
        step.time = from.clocks[step.attempt].toRank0(step.time);
        survivors.keep(std::move(step));
    }
}

void RunReader::Reading::addStep(StepRecord step, RunNews& news) {
    tally.add(step, firstOf(step, metrics));
    if (withSpans && step.split == Split::train) {
        placeStep(step, news.timeline);
    }
    news.steps.push_back(std::move(step));
}

/// Reads the logs of other ranks up to the start of that attempt.
void RunReader::Reading::readOthersTo(std::uint32_t attempt, RunNews& news) {
    constexpr std::size_t part = std::size_t{64} << 10U;
    for (auto& [rank, from] : ranks) {
        const auto takeOne = [&, rank = rank, &from = from](const EventView& event) {
            take(rank, from, event, news);
        };
        while (rank != 0 && from.log.attempt() < attempt && from.log.read(part, takeOne)) {
        }
    }
}

/// Adds the steps of earlier attempts that rank 0 died before writing.
void RunReader::Reading::addSurvivorSteps(std::uint32_t attempt, RunNews& news) {
    for (StepRecord& step : survivors.takeBefore(attempt)) {
        // Without the attempt's begin in rank 0's log, its steps have no time.
        if (const auto origin = origins.find(step.attempt); origin != origins.end()) {
            lastTime = std::max(lastTime, origin->second + step.time);
            addStep(std::move(step), news);
        }
    }
}

/// True if no process writes rank 0's log any more.
bool RunReader::Reading::hasFirstRankEnded() const {
    const RunLock lock = readRunLock(folder);
    return lock.remoteState
               ? *lock.remoteState != RunState::living && *lock.remoteState != RunState::waiting &&
                     *lock.remoteState != RunState::unknown
               : !lock.isHeld;
}

void RunReader::Reading::takeMemory(int rank, RankLog& from, const EventView& event,
                                    RunNews& news) {
    const auto said = event.as<MemoryEvent>();
    const LogName* name = from.log.name(said.name);
    news.memory.push_back({from.log.attempt(),
                           rank,
                           DeviceId{said.device},
                           name == nullptr ? std::string() : name->text,
                           {said.bytes}});
    tally.add(news.memory.back());
}

void RunReader::Reading::placeStep(const StepRecord& record, Timeline& timeline) {
    const std::int64_t end = origins.at(record.attempt) + record.time;
    const auto length = static_cast<std::int64_t>(static_cast<double>(record.seconds) * 1e9);
    // The duration is rounded, so the step may seem to overlap the one before.
    const std::int64_t begin = std::min(std::max(end - length, stepsEnd), end);
    timeline.steps.push_back({record.step, {begin}, {end - begin}});
    stepsEnd = std::max(stepsEnd, end);
}

void RunReader::Reading::takeText(int rank, RankLog& from, const EventView& event, RunNews& news) {
    const auto said = event.as<TextEvent>();
    const std::uint32_t attempt = from.log.attempt();
    std::string text(event.text());
    switch (event.head.kind) {
    case EventKind::text:
        news.messages.push_back(
            {attempt, rank, event.head.detail, said.step, event.head.time, std::move(text)});
        break;
    case EventKind::checkpoint:
        news.checkpoints.push_back({attempt, said.step, std::move(text), event.head.time});
        break;
    case EventKind::tensor:
        news.tensors.push_back({attempt, said.step, std::move(text), event.head.time});
        break;
    case EventKind::failure:
        // Every rank reports the first cause; it is one failure.
        if (failures.insert({attempt, text}).second) {
            news.failures.push_back(failureFrom(text));
        }
        break;
    default:
        if (rank == 0) {
            const auto reason = static_cast<EndReason>(std::min<int>(event.head.detail, 3));
            end = RunEnd{attempt, reason, said.step, std::move(text), event.head.time};
            news.ends.push_back(*end);
        } else if (static_cast<EndReason>(event.head.detail) == EndReason::failed) {
            failed =
                RunEnd{attempt, EndReason::failed, said.step, std::move(text), event.head.time};
        }
    }
}

void RunReader::Reading::takeProfile(RankLog& from, const EventView& event, RunNews& news) {
    const auto said = event.as<ProfileEvent>();
    const LogName* name = from.log.name(said.site);
    if (name == nullptr) {
        return;
    }
    const SpanSite site = siteFrom(name->text);
    std::uint32_t device = 0;
    std::from_chars(name->unit.data(), name->unit.data() + name->unit.size(), device);
    RunProfile profile{from.log.attempt(), event.head.time, {}};
    profile.entry = {.origin = site.origin,
                     .layer = site.layer,
                     .pass = site.pass,
                     .kind = site.kind,
                     .device = DeviceId{device},
                     .steps = said.steps,
                     .time = {static_cast<std::int64_t>(said.nanoseconds)}};
    news.profile.push_back(std::move(profile));
}

void RunReader::Reading::take(int rank, RankLog& from, const EventView& event, RunNews& news) {
    if (rank == 0) {
        if (event.head.kind == EventKind::run && !origins.empty()) {
            readOthersTo(from.log.attempt(), news);
            addSurvivorSteps(from.log.attempt(), news);
        }
        const auto [origin, isNew] = origins.try_emplace(from.log.attempt(), lastTime);
        lastTime = std::max(lastTime, origin->second + event.head.time);
    }
    switch (event.head.kind) {
    case EventKind::run: {
        from.open.clear();
        Attempt attempt = attemptFrom(event.text());
        attempt.number = from.log.attempt();
        attempt.wallClock = event.as<RunEvent>().wallClock;
        if (rank == 0) {
            end.reset();
            tally.begin(attempt);
            news.attempts.push_back(attempt);
        }
        attempts.insert_or_assign(attempt.number, std::move(attempt));
        break;
    }
    case EventKind::metric: takeMetric(rank, from, event); break;
    case EventKind::step: takeStep(rank, from, event, news); break;
    case EventKind::memory: takeMemory(rank, from, event, news); break;
    case EventKind::clock: {
        const auto said = event.as<ClockEvent>();
        from.clocks[from.log.attempt()].add(event.head.time, {said.offset}, {said.error});
        break;
    }
    case EventKind::profile: takeProfile(from, event, news); break;
    case EventKind::pause:
        if (rank == 0) {
            news.pauses.push_back({from.log.attempt(), event.head.detail != 0,
                                   event.as<TextEvent>().step, event.head.time});
        }
        break;
    case EventKind::text:
    case EventKind::checkpoint:
    case EventKind::tensor:
    case EventKind::failure:
    case EventKind::end: takeText(rank, from, event, news); break;
    default: break; // names are handled by the log; kinds of later versions are ignored
    }
}

bool RunReader::Reading::readSpans() {
    bool isMore = false;
    for (auto& [rank, from] : ranks) {
        std::vector<RankStep> whole;
        isMore = from.spans.read(readAtOnce, whole) || isMore;
        for (RankStep& step : whole) {
            steps[{step.attempt, step.step}][rank] = std::move(step.spans);
        }
    }
    return isMore;
}

bool RunReader::Reading::readLogs(RunNews& news) {
    bool isMore = false;
    for (auto& [rank, from] : ranks) {
        const auto takeOne = [&, rank = rank, &from = from](const EventView& event) {
            take(rank, from, event, news);
        };
        isMore = from.log.read(readAtOnce, takeOne) || isMore;
    }
    return isMore;
}

void RunReader::Reading::placeSpans(Timeline& timeline) {
    // By step, so that a later attempt replaces an earlier one.
    std::map<std::int64_t, std::pair<std::uint32_t, std::map<int, std::vector<SpanEvent>>>> whole;
    std::erase_if(steps, [&](auto& entry) {
        const auto& [attempt, step] = entry.first;
        const auto known = attempts.find(attempt);
        const std::size_t expected =
            known == attempts.end() ? 1 : static_cast<std::size_t>(known->second.ranks);
        if (entry.second.size() < expected || !origins.contains(attempt)) {
            return false;
        }
        whole.insert_or_assign(step, std::pair(attempt, std::move(entry.second)));
        return true;
    });
    SiteTable sites(timeline);
    for (const auto& [step, parts] : whole) {
        addWhole(parts.first, parts.second, sites, timeline);
    }
    while (steps.size() > mostPendingSteps) {
        steps.erase(steps.begin());
    }
    sortSpans(timeline);
}

void RunReader::Reading::addWhole(std::uint32_t attempt,
                                  const std::map<int, std::vector<SpanEvent>>& parts,
                                  SiteTable& sites, Timeline& timeline) {
    if (const auto known = attempts.find(attempt); known != attempts.end()) {
        for (std::size_t i = 0; i < known->second.devices.size(); ++i) {
            timeline.devices[DeviceId{static_cast<std::uint32_t>(i)}] = known->second.devices[i];
        }
    }
    const std::int64_t origin = origins.at(attempt);
    for (const auto& [rank, spans] : parts) {
        RankLog& from = ranks.at(rank);
        const RankClock& clock = from.clocks[attempt];
        timeline.clockError = std::max(timeline.clockError, clock.error());
        for (const SpanEvent& span : spans) {
            const std::int64_t begin = clock.toRank0(span.head.time);
            const std::int64_t end = clock.toRank0(span.head.time + span.duration);
            timeline.spans.push_back({DeviceId{span.device},
                                      span.stream,
                                      sites.indexOf(from.log.name(attempt, span.site)),
                                      span.step,
                                      {origin + begin},
                                      {end - begin}});
        }
    }
}

RunReader::RunReader(fs::path folder, bool withSpans)
    : reading_(
          std::make_unique<Reading>(Reading{folder, withSpans, FolderWatch(std::move(folder))})) {}
RunReader::~RunReader() = default;
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;

RunNews RunReader::read() {
    RunNews news;
    reading_->findRanks();
    // Spans are read first: everything that a rank logged before a step's spans, such as clock
    // offsets, is then known when they are placed, in a running run as in a finished one.
    const bool readsSpans = reading_->withSpans && !reading_->isMoreLog;
    const bool areMoreSpans = readsSpans && reading_->readSpans();
    reading_->isMoreLog = reading_->readLogs(news);
    if (!reading_->isMoreLog && !reading_->survivors.isEmpty() && reading_->hasFirstRankEnded()) {
        while (reading_->readLogs(news)) { // what rank 0 wrote before its end
        }
        reading_->addSurvivorSteps(std::numeric_limits<std::uint32_t>::max(), news);
    }
    if (reading_->withSpans && !reading_->isMoreLog) {
        reading_->placeSpans(news.timeline);
    }
    news.isMore = areMoreSpans || reading_->isMoreLog || (reading_->withSpans && !readsSpans);
    return news;
}

void RunReader::waitForGrowth(std::chrono::nanoseconds limit) { reading_->watch.wait(limit); }

const std::vector<MetricInfo>& RunReader::metrics() const { return reading_->metrics; }

RunState RunReader::state() const {
    const RunLock lock = readRunLock(reading_->folder);
    if (lock.isHeld) {
        return RunState::living;
    }
    if (lock.remoteState) {
        return *lock.remoteState;
    }
    // The end of an earlier attempt is not the end of this one.
    const auto isOfNow = [&](const std::optional<RunEnd>& end) {
        return end && end->attempt >= lock.attempt;
    };
    if (!isOfNow(reading_->end)) {
        return isOfNow(reading_->failed) ? RunState::failed : RunState::lost;
    }
    switch (reading_->end->reason) {
    case EndReason::done: return RunState::done;
    case EndReason::stopped: return RunState::stopped;
    case EndReason::failed: return RunState::failed;
    case EndReason::lost: return RunState::lost;
    }
    return RunState::lost;
}

bool RunReader::mayGrow() const {
    const RunState now = state();
    return now == RunState::living || now == RunState::waiting ||
           (now == RunState::unknown && isMirrorHeld(reading_->folder));
}

RunFigures RunReader::figures() const { return reading_->tally.figures(); }

std::vector<RunningOp> RunReader::runningOps() const {
    std::vector<RunningOp> runningOps;
    const std::int64_t now = steadyNanoseconds();
    for (const auto& [rank, from] : reading_->ranks) {
        const std::uint32_t attempt = from.log.attempt();
        for (const ReadActivity& mark : readActivity(reading_->folder, rank, attempt)) {
            if (const LogName* name = from.log.name(attempt, mark.name)) {
                runningOps.push_back({rank,
                                      mark.device,
                                      mark.stream,
                                      siteFrom(name->text),
                                      {std::max<std::int64_t>(0, now - mark.since)}});
            }
        }
    }
    return runningOps;
}

std::uint64_t RunReader::damagedBytes() const {
    std::uint64_t sum = 0;
    for (const auto& [rank, from] : reading_->ranks) {
        sum += from.log.skipped();
    }
    return sum;
}

} // namespace weft
