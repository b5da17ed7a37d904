// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/text/json.h"
#include "events/figures_file.h"
#include "events/frame.h"
#include "events/log.h"
#include "events/log_reader.h"
#include "events/log_text.h"
#include "events/mirror_status.h"
#include "events/run_directory.h"
#include <weft/runs.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

std::string_view nameOf(RunState state) {
    switch (state) {
    case RunState::living: return "living";
    case RunState::done: return "done";
    case RunState::stopped: return "stopped";
    case RunState::failed: return "failed";
    case RunState::lost: return "lost";
    case RunState::waiting: return "waiting";
    case RunState::unknown: return "unknown";
    }
    return "lost";
}

bool RunNews::isEmpty() const {
    return attempts.empty() && steps.empty() && messages.empty() && checkpoints.empty() &&
           tensors.empty() && failures.empty() && memory.empty() && profile.empty() &&
           pauses.empty() && ends.empty() && timeline.spans.empty();
}

namespace {

constexpr std::size_t largestDesign = std::size_t{64} << 20U;

Bytes sizeOf(const fs::path& folder) {
    Bytes size;
    std::error_code ignored;
    for (auto entry = fs::recursive_directory_iterator(folder, ignored);
         entry != fs::recursive_directory_iterator(); entry.increment(ignored)) {
        std::error_code gone;
        const auto bytes = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
        size += {gone ? 0 : static_cast<std::int64_t>(bytes)};
    }
    return size;
}

std::string designTextOf(const fs::path& folder) {
    try {
        return readFile(folder / "design.weft", largestDesign);
    } catch (const Error&) {
        return {};
    }
}

std::string designNameOf(const fs::path& folder) {
    try {
        return readJsonFile(folder / "design.weft").value("name", std::string());
    } catch (const std::exception&) {
        return {};
    }
}

/// Derives a run's state from its lock and its last end event.
RunState stateOf(const RunLock& lock, const std::optional<EndReason>& reason) {
    if (lock.remoteState) {
        return *lock.remoteState;
    }
    if (lock.isHeld) {
        return RunState::living;
    }
    switch (reason.value_or(EndReason::lost)) {
    case EndReason::done: return RunState::done;
    case EndReason::stopped: return RunState::stopped;
    case EndReason::failed: return RunState::failed;
    case EndReason::lost: return RunState::lost;
    }
    return RunState::lost;
}

/// Returns the loss, or the energy, of a training step; nothing for other events.
std::optional<double> firstNumberIn(const EventView& event, const LogReader& log) {
    if (event.head.kind != EventKind::metric || event.head.detail != 0) {
        return std::nullopt;
    }
    const auto metric = event.as<MetricEvent>();
    const LogName* name = log.name(metric.name);
    const bool isFirst = name != nullptr && isMainMetric(name->text);
    return isFirst ? std::optional(metric.value) : std::nullopt;
}

/// Takes the cause of failure and the last step from the first rank that outlived rank 0; the cause
/// is empty if there is none.
void summarizeSurvivors(RunSummary& summary, std::uint32_t attempt) {
    summary.cause.clear();
    constexpr std::size_t part = std::size_t{1} << 20U;
    std::error_code ignored;
    for (int rank = 1; summary.cause.empty() && fs::exists(logPath(summary.folder, rank), ignored);
         ++rank) {
        LogReader log(logPath(summary.folder, rank));
        std::optional<double> loss;
        const auto take = [&](const EventView& event) {
            if (log.attempt() != attempt) {
                return;
            }
            if (const auto first = firstNumberIn(event, log)) {
                loss = first;
            } else if (event.head.kind == EventKind::step) {
                const std::int64_t step = event.as<StepEvent>().step;
                summary.lastLoss = step > summary.lastStep ? loss : summary.lastLoss;
                summary.lastStep = std::max(summary.lastStep, step);
            } else if (event.head.kind == EventKind::end &&
                       static_cast<EndReason>(event.head.detail) == EndReason::failed) {
                summary.cause = event.text();
            }
        };
        while (log.read(part, take)) {
        }
    }
}

/// Reads only the begin and end of rank 0's log, so that lists of long runs are fast.
void summarizeLog(RunSummary& summary, const RunLock& lock) {
    LogReader log(logPath(summary.folder, 0));
    std::optional<EndReason> reason;
    const auto take = [&](const EventView& event) {
        switch (event.head.kind) {
        case EventKind::run:
            summary.begun = summary.begun == 0 ? event.as<RunEvent>().wallClock : summary.begun;
            summary.devices = attemptFrom(event.text()).devices;
            reason.reset();
            break;
        case EventKind::metric:
            if (const auto loss = firstNumberIn(event, log)) {
                summary.lastLoss = loss;
            }
            break;
        case EventKind::step:
            summary.lastStep = std::max(summary.lastStep, event.as<StepEvent>().step);
            summary.isPaused = false;
            reason.reset();
            break;
        case EventKind::pause: summary.isPaused = event.head.detail != 0; break;
        case EventKind::end:
            reason = static_cast<EndReason>(std::min<int>(event.head.detail, 3));
            summary.cause =
                *reason == EndReason::failed ? std::string(event.text()) : std::string();
            break;
        default: break;
        }
    };
    constexpr std::size_t part = std::size_t{1} << 20U;
    bool isMore = log.read(part, take);
    const std::uint64_t size = isMore ? fs::file_size(logPath(summary.folder, 0)) : 0;
    const auto skipTo = [&](std::uint64_t offset) {
        if (offset > log.position() && offset < size) {
            log.skipTo(offset);
        }
    };
    // The event that begins the last attempt is not skipped: it tells which attempt an end belongs
    // to. The attempt may have cut off a torn frame, so it can begin a little earlier.
    skipTo(lock.logBytesAtBegin - std::min<std::uint64_t>(lock.logBytesAtBegin, 2 * largestFrame));
    while (isMore && log.attempt() < lock.attempt) {
        isMore = log.read(part, take);
    }
    skipTo(size - std::min<std::uint64_t>(size, part));
    while (isMore) {
        isMore = log.read(part, take);
    }
    if (log.attempt() < lock.attempt) {
        // The last attempt logged nothing, and the end of an earlier attempt is not its end.
        reason.reset();
        summary.cause.clear();
    }
    summary.state = stateOf(lock, reason);
    summary.isPaused = summary.isPaused && summary.state == RunState::living;
    if (summary.state == RunState::lost) {
        summarizeSurvivors(summary, lock.attempt);
        summary.state = summary.cause.empty() ? RunState::lost : RunState::failed;
    }
}

/// Inserts a value at its step. Steps are in order, except where a later attempt repeats earlier
/// steps.
void add(MetricSeries& series, std::int64_t step, double value) {
    const auto at = std::lower_bound(series.steps.begin(), series.steps.end(), step);
    const auto position = at - series.steps.begin();
    if (at != series.steps.end() && *at == step) {
        series.values[static_cast<std::size_t>(position)] = value;
        return;
    }
    series.steps.insert(at, step);
    series.values.insert(series.values.begin() + position, value);
}

void add(Run& run, std::vector<MetricSeries>& series, const RunReader& reader, RunNews news) {
    for (Attempt& attempt : news.attempts) {
        run.attempts.push_back(std::move(attempt));
        run.profile = {};
    }
    for (const StepRecord& record : news.steps) {
        for (const MetricValue& value : record.values) {
            const std::size_t index = 2 * value.metric + (record.split == Split::train ? 0 : 1);
            series.resize(std::max(series.size(), index + 1));
            series[index].metric = reader.metrics()[value.metric];
            series[index].split = record.split;
            add(series[index], record.step, value.value);
        }
    }
    for (const RunProfile& profile : news.profile) {
        run.profile.add(profile.entry);
    }
    std::move(news.messages.begin(), news.messages.end(), std::back_inserter(run.messages));
    std::move(news.checkpoints.begin(), news.checkpoints.end(),
              std::back_inserter(run.checkpoints));
    std::move(news.failures.begin(), news.failures.end(), std::back_inserter(run.failures));
}

} // namespace

std::optional<RunSummary> summaryOf(const fs::path& folder) {
    const RunLock lock = readRunLock(folder);
    std::error_code ignored;
    const bool hasLog = fs::exists(logPath(folder, 0), ignored);
    if (lock.attempt == 0 && !hasLog && !lock.remoteState) {
        return std::nullopt;
    }
    RunSummary summary;
    summary.folder = folder;
    summary.name = folder.filename().string();
    summary.design = designNameOf(folder);
    summary.attempts = lock.attempt;
    summary.size = sizeOf(folder);
    summary.state = stateOf(lock, std::nullopt);
    try {
        if (hasLog) {
            summarizeLog(summary, lock);
        }
    } catch (const std::exception& error) {
        summary.cause = error.what();
    }
    if (!lock.why.empty()) {
        summary.cause = lock.why;
    }
    if (lock.remoteState) {
        summary.host = lock.host;
    }
    if (summary.state != RunState::living) {
        summary.figures = readFigures(folder, lock.attempt);
    }
    return summary;
}

std::optional<RunCopy> copyOf(const fs::path& folder) {
    const auto word = readMirrorStatus(folder);
    return word ? std::optional(RunCopy{word->host, word->run, word->isUp, whyOf(*word)})
                : std::nullopt;
}

fs::path newestCheckpoint(const fs::path& run) {
    fs::path newest;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(run / "checkpoints", none)) {
        if (entry.path().extension() == ".safetensors" &&
            entry.path().filename() > newest.filename()) {
            newest = entry.path();
        }
    }
    return newest;
}

RunFigures figuresOf(const RunSummary& summary) {
    if (summary.figures) {
        return *summary.figures;
    }
    RunReader reader(summary.folder);
    while (reader.read().isMore) {
    }
    return reader.figures();
}

std::vector<fs::path> livingRuns(const fs::path& folder) {
    std::vector<fs::path> runs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored) && readRunLock(entry.path()).isHeld) {
            runs.push_back(entry.path());
        }
    }
    return runs;
}

std::vector<RunSummary> listRuns(const fs::path& folder) {
    std::vector<RunSummary> runs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (!entry.is_directory(ignored)) {
            continue;
        }
        if (auto summary = summaryOf(entry.path())) {
            runs.push_back(std::move(*summary));
        }
    }
    std::sort(runs.begin(), runs.end(), [](const RunSummary& a, const RunSummary& b) {
        return std::tie(a.begun, a.name) > std::tie(b.begun, b.name);
    });
    return runs;
}

Run openRun(const fs::path& folder) {
    auto summary = summaryOf(folder);
    if (!summary) {
        Where where;
        where.file = folder.string();
        throw Error(ErrorCode::file, std::move(where), "is not a run directory",
                    "name a run that weft runs lists");
    }
    Run run;
    run.summary = std::move(*summary);
    run.design = designTextOf(folder);
    std::vector<MetricSeries> series;
    RunReader reader(folder);
    bool isMore = true;
    while (isMore) {
        RunNews news = reader.read();
        isMore = news.isMore;
        add(run, series, reader, std::move(news));
    }
    if (const auto runningOps = reader.runningOps();
        run.summary.state == RunState::lost && run.summary.cause.empty() && !runningOps.empty()) {
        const RunningOp& first = runningOps.front();
        run.summary.cause = fmt::format("rank {} ended without reporting why, in {} of {}",
                                        first.rank, first.site.op, first.site.layer);
    }
    run.damagedBytes = reader.damagedBytes();
    run.summary.figures = reader.figures();
    std::copy_if(std::make_move_iterator(series.begin()), std::make_move_iterator(series.end()),
                 std::back_inserter(run.series),
                 [](const MetricSeries& one) { return !one.steps.empty(); });
    return run;
}

Timeline readTimeline(const fs::path& folder, std::int64_t first, std::int64_t last) {
    // By step, so that a later attempt replaces an earlier one.
    std::map<std::int64_t, TimelineStep> wholes;
    std::map<std::int64_t, std::vector<TimelineSpan>> steps;
    std::map<std::string, std::uint32_t> sites;
    Timeline all;
    RunReader reader(folder, true);
    bool isMore = true;
    while (isMore) {
        RunNews news = reader.read();
        isMore = news.isMore;
        std::vector<std::uint32_t> positions;
        for (const SpanSite& site : news.timeline.sites) {
            const auto [known, isNew] =
                sites.try_emplace(siteText(site), static_cast<std::uint32_t>(all.sites.size()));
            if (isNew) {
                all.sites.push_back(site);
            }
            positions.push_back(known->second);
        }
        all.devices.insert(news.timeline.devices.begin(), news.timeline.devices.end());
        all.clockError = std::max(all.clockError, news.timeline.clockError);
        for (const TimelineStep& step : news.timeline.steps) {
            if (step.step >= first && step.step <= last) {
                wholes[step.step] = step;
            }
        }
        std::map<std::int64_t, std::vector<TimelineSpan>> fresh;
        for (TimelineSpan span : news.timeline.spans) {
            span.site = positions[span.site];
            if (span.step >= first && span.step <= last) {
                fresh[span.step].push_back(span);
            }
        }
        for (auto& [step, spans] : fresh) {
            steps[step] = std::move(spans);
        }
    }
    for (auto& [step, spans] : steps) {
        // A later attempt may have repeated the step without keeping spans.
        const auto whole = wholes.find(step);
        const Nanoseconds end = spans.back().begin + spans.back().duration;
        if (whole == wholes.end() || end >= whole->second.begin) {
            all.spans.insert(all.spans.end(), spans.begin(), spans.end());
        }
    }
    for (const auto& [number, step] : wholes) {
        all.steps.push_back(step);
    }
    sortSpans(all);
    return all;
}

} // namespace weft
