// SPDX-License-Identifier: Apache-2.0
#include "runs/step_analysis.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace weft::ui {

namespace {

std::int64_t endOf(const TimelineSpan& span) { return span.begin.count + span.duration.count; }

using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Returns the disjoint busy intervals of each device in order.
std::map<DeviceId, Intervals> workOf(const Timeline& timeline) {
    std::map<DeviceId, Intervals> work;
    for (const TimelineSpan& span : timeline.spans) {
        if (!isWork(timeline.siteOf(span).kind)) {
            continue;
        }
        Intervals& mine = work[span.device];
        if (!mine.empty() && span.begin.count <= mine.back().second) {
            mine.back().second = std::max(mine.back().second, endOf(span));
        } else {
            mine.emplace_back(span.begin.count, endOf(span));
        }
    }
    return work;
}

std::int64_t common(const Intervals& work, std::int64_t begin, std::int64_t end) {
    std::int64_t sum = 0;
    auto one = std::lower_bound(work.begin(), work.end(), begin,
                                [](const auto& a, std::int64_t time) { return a.second <= time; });
    for (; one != work.end() && one->first < end; ++one) {
        sum += std::min(one->second, end) - std::max(one->first, begin);
    }
    return sum;
}

struct DeviceShare {
    std::int64_t time = 0;
    std::int64_t exposed = 0;
    std::int64_t waited = 0;
    std::int64_t waitedUntil = std::numeric_limits<std::int64_t>::min();
};

/// Names a collective: "gradients 1 (all-reduce)", "all-reduce of conv1.weight", or the op alone.
void nameOf(const SpanSite& site, CollectiveRow& row) {
    const std::size_t bracket = site.op.rfind(" (");
    const std::size_t of = site.op.find(" of ");
    if (bracket != std::string::npos && site.op.back() == ')') {
        row.kind = site.op.substr(bracket + 2, site.op.size() - bracket - 3);
        row.where = site.op.substr(0, bracket);
    } else if (of != std::string::npos) {
        row.kind = site.op.substr(0, of);
        row.where = site.op.substr(of + 4);
    } else {
        row.kind = site.op;
        row.where = site.layer;
    }
}

struct Gathered {
    CollectiveRow row;
    std::int64_t latestBegin = 0;
    std::map<DeviceId, DeviceShare> devices = {};
};

std::map<std::pair<std::string, std::string>, Gathered> gather(const Timeline& timeline) {
    std::map<std::pair<std::string, std::string>, Gathered> all;
    const auto work = workOf(timeline);
    for (const TimelineSpan& span : timeline.spans) {
        const SpanSite& site = timeline.siteOf(span);
        const bool isWait = site.kind == SpanKind::wait;
        if (site.kind != SpanKind::communicate && !isWait) {
            continue;
        }
        const auto [entry, isNew] = all.try_emplace({site.layer, site.op});
        Gathered& one = entry->second;
        const std::int64_t begin = span.begin.count;
        if (isNew) {
            nameOf(site, one.row);
            one.row.layer = site.layer;
            one.row.begin = begin;
            one.latestBegin = begin;
            one.row.lastToArrive = span.device;
        }
        one.row.bytes = std::max(one.row.bytes, site.bytes);
        one.row.begin = std::min(one.row.begin, begin);
        DeviceShare& share = one.devices[span.device];
        // A device arrives when its wait begins; without a wait, when the collective begins.
        if (begin > one.latestBegin && begin != share.waitedUntil) {
            one.latestBegin = begin;
            one.row.lastToArrive = span.device;
        }
        if (isWait) {
            share.waited += span.duration.count;
            share.waitedUntil = endOf(span);
            continue;
        }
        const auto mine = work.find(span.device);
        const std::int64_t hidden =
            mine == work.end() ? 0 : common(mine->second, begin, endOf(span));
        share.time += span.duration.count;
        share.exposed += span.duration.count - hidden;
    }
    return all;
}

std::int64_t longest(const Gathered& one) {
    std::int64_t most = 0;
    for (const auto& [device, share] : one.devices) {
        most = std::max(most, share.time);
    }
    return most;
}

} // namespace

std::vector<CollectiveRow> collectivesOf(const Timeline& measured, const Timeline& predicted) {
    auto now = gather(measured);
    std::vector<CollectiveRow> rows;
    for (const auto& [key, one] : gather(predicted)) {
        auto& entry = now[key];
        if (entry.row.kind.empty()) {
            entry.row = one.row;
        }
        entry.row.predicted = {longest(one)};
        entry.row.bytes = std::max(entry.row.bytes, one.row.bytes);
    }
    for (auto& [key, one] : now) {
        one.row.measured = {longest(one)};
        for (const auto& [device, share] : one.devices) {
            one.row.exposed = std::max(one.row.exposed, Nanoseconds{share.exposed});
            one.row.waited = std::max(one.row.waited, Nanoseconds{share.waited});
        }
        rows.push_back(std::move(one.row));
    }
    std::ranges::stable_sort(rows, {}, &CollectiveRow::begin);
    return rows;
}

std::vector<CriticalSpan> criticalPath(const Timeline& step) {
    std::map<DeviceId, std::vector<const TimelineSpan*>> byEnd;
    std::vector<const TimelineSpan*> all;
    for (const TimelineSpan& span : step.spans) {
        if (step.siteOf(span).kind != SpanKind::wait && span.duration.count > 0) {
            byEnd[span.device].push_back(&span);
            all.push_back(&span);
        }
    }
    const auto ends = [](const TimelineSpan* span) { return endOf(*span); };
    std::ranges::stable_sort(all, {}, ends);
    for (auto& [device, spans] : byEnd) {
        std::ranges::stable_sort(spans, {}, ends);
    }
    // Because clocks of ranks differ, the awaited span may seem to end slightly after the wait.
    const auto lastBefore = [&](const std::vector<const TimelineSpan*>& spans,
                                const TimelineSpan& at, std::int64_t error) {
        auto after = std::ranges::upper_bound(spans, at.begin.count + error, {}, ends);
        while (after != spans.begin() && (*(after - 1))->begin >= at.begin) {
            --after;
        }
        return after == spans.begin() ? nullptr : *(after - 1);
    };
    std::vector<CriticalSpan> path;
    const TimelineSpan* at = all.empty() ? nullptr : all.back();
    while (at != nullptr) {
        const bool isCommunication = step.siteOf(*at).kind == SpanKind::communicate;
        const std::int64_t end = path.empty() ? endOf(*at) : path.back().begin.count;
        path.push_back(
            {at->begin, {std::min(endOf(*at), end)}, isCommunication, step.siteOf(*at).layer});
        const std::int64_t begin = at->begin.count;
        at = isCommunication ? lastBefore(all, *at, step.clockError.count)
                             : lastBefore(byEnd[at->device], *at, 0);
        if (at != nullptr && endOf(*at) < begin) {
            path.push_back({{endOf(*at)}, {begin}, true, {}});
        }
    }
    std::ranges::reverse(path);
    return path;
}

std::optional<Iterations> iterationsOf(const Timeline& step) {
    const TimelineSpan* longest = nullptr;
    for (const TimelineSpan& span : step.spans) {
        if (step.siteOf(span).rounds > 1 &&
            (longest == nullptr || span.duration > longest->duration)) {
            longest = &span;
        }
    }
    if (longest == nullptr) {
        return std::nullopt;
    }
    const SpanSite& site = step.siteOf(*longest);
    return Iterations{site.layer, site.rounds, timePerRound(site.rounds, longest->duration)};
}

double overlapOf(const std::vector<StepTotals>& totals) {
    std::int64_t communicate = 0;
    std::int64_t overlapped = 0;
    for (const StepTotals& one : totals) {
        communicate += one.communicate.count;
        overlapped += one.overlapped.count;
    }
    return communicate > 0 ? static_cast<double>(overlapped) / static_cast<double>(communicate) : 0;
}

} // namespace weft::ui
