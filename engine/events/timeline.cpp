// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"
#include <weft/error.h>
#include <weft/timeline.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace weft {

std::string_view nameOf(SpanKind kind) {
    switch (kind) {
    case SpanKind::compute: return "compute";
    case SpanKind::communicate: return "communicate";
    case SpanKind::copy: return "copy";
    case SpanKind::wait: return "wait";
    case SpanKind::host: return "host";
    case SpanKind::repeat: return "repeat";
    case SpanKind::feed: return "feed";
    }
    return "compute";
}

bool isWork(SpanKind kind) {
    return kind != SpanKind::communicate && kind != SpanKind::wait && kind != SpanKind::feed;
}

std::string_view passOf(const SpanSite& site) {
    const bool isOfNone = site.kind == SpanKind::repeat || site.kind == SpanKind::feed;
    return isOfNone ? std::string_view() : nameOf(site.pass);
}

Nanoseconds timePerRound(std::int64_t rounds, Nanoseconds together) {
    return {together.count / std::max<std::int64_t>(1, rounds)};
}

std::string roundsText(std::int64_t rounds, Nanoseconds together) {
    return rounds <= 1 ? std::string()
                       : std::to_string(rounds) + " iterations, " +
                             toString(timePerRound(rounds, together)) + " each";
}

namespace {

struct Interval {
    std::int64_t begin;
    std::int64_t end;
};

std::int64_t endOf(const TimelineSpan& span) { return span.begin.count + span.duration.count; }

/// Returns the intervals sorted and without overlaps.
std::vector<Interval> united(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::vector<Interval> result;
    for (const Interval& interval : intervals) {
        if (!result.empty() && interval.begin <= result.back().end) {
            result.back().end = std::max(result.back().end, interval.end);
        } else {
            result.push_back(interval);
        }
    }
    return result;
}

std::int64_t lengthOf(const std::vector<Interval>& intervals) {
    std::int64_t length = 0;
    for (const Interval& interval : intervals) {
        length += interval.end - interval.begin;
    }
    return length;
}

std::int64_t commonLength(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    std::int64_t length = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        length += std::max<std::int64_t>(0, std::min(a[i].end, b[j].end) -
                                                std::max(a[i].begin, b[j].begin));
        ++(a[i].end < b[j].end ? i : j);
    }
    return length;
}

/// Work of one device in one step, with overlaps.
struct Work {
    std::vector<Interval> compute;
    std::vector<Interval> communicate;
    std::vector<Interval> wait;
};

StepTotals totalsOf(std::int64_t step, DeviceId device, Interval whole, Work work) {
    const auto compute = united(std::move(work.compute));
    const auto communicate = united(std::move(work.communicate));
    StepTotals totals{.step = step, .device = device};
    totals.length = {whole.end - whole.begin};
    totals.compute = {lengthOf(compute)};
    totals.communicate = {lengthOf(communicate)};
    totals.overlapped = {commonLength(compute, communicate)};
    auto busy = compute;
    busy.insert(busy.end(), communicate.begin(), communicate.end());
    busy = united(std::move(busy));
    const auto wait = united(std::move(work.wait));
    totals.waiting = {lengthOf(wait) - commonLength(wait, busy)};
    totals.idle = totals.length - Nanoseconds{lengthOf(busy)} - totals.waiting;
    return totals;
}

} // namespace

Nanoseconds Timeline::length() const {
    if (spans.empty()) {
        return {};
    }
    std::int64_t begin = spans.front().begin.count;
    std::int64_t end = endOf(spans.front());
    for (const TimelineSpan& span : spans) {
        begin = std::min(begin, span.begin.count);
        end = std::max(end, endOf(span));
    }
    return {end - begin};
}

void sortSpans(Timeline& timeline) {
    std::stable_sort(timeline.spans.begin(), timeline.spans.end(),
                     [](const TimelineSpan& a, const TimelineSpan& b) {
                         return std::tie(a.begin, a.device, a.stream) <
                                std::tie(b.begin, b.device, b.stream);
                     });
}

std::vector<StepTotals> totalsOf(const Timeline& timeline) {
    std::map<std::int64_t, Interval> wholes;
    std::map<std::pair<std::int64_t, DeviceId>, Work> works;
    for (const TimelineSpan& span : timeline.spans) {
        const Interval interval{span.begin.count, endOf(span)};
        auto [whole, isNew] = wholes.try_emplace(span.step, interval);
        whole->second.begin = std::min(whole->second.begin, interval.begin);
        whole->second.end = std::max(whole->second.end, interval.end);
        Work& work = works[{span.step, span.device}];
        const SpanKind kind = timeline.siteOf(span).kind;
        if (isWork(kind)) {
            work.compute.push_back(interval);
        } else if (kind != SpanKind::feed) {
            (kind == SpanKind::wait ? work.wait : work.communicate).push_back(interval);
        }
    }
    std::vector<StepTotals> result;
    result.reserve(works.size());
    for (auto& [key, work] : works) {
        result.push_back(totalsOf(key.first, key.second, wholes.at(key.first), std::move(work)));
    }
    return result;
}

std::string print(const Timeline& timeline) {
    TextTable table({{"step", Align::right},
                     {"device"},
                     {"lane", Align::right},
                     {"begin", Align::right},
                     {"duration", Align::right},
                     {"kind"},
                     {"layer"},
                     {"pass"},
                     {"op"}});
    for (const TimelineSpan& span : timeline.spans) {
        const SpanSite& site = timeline.siteOf(span);
        const auto device = timeline.devices.find(span.device);
        const std::string rounds = roundsText(site.rounds, span.duration);
        table.addRow(
            {std::to_string(span.step),
             device == timeline.devices.end() ? std::to_string(span.device.value) : device->second,
             std::to_string(span.stream), toString(span.begin), toString(span.duration),
             std::string(nameOf(site.kind)), site.layer, std::string(passOf(site)),
             rounds.empty() ? site.op : site.op + ": " + rounds});
    }
    return table.text();
}

void verify(const Timeline& timeline) {
    std::map<std::pair<DeviceId, std::uint32_t>, std::int64_t> ends;
    std::int64_t last = timeline.spans.empty() ? 0 : timeline.spans.front().begin.count;
    for (const TimelineSpan& span : timeline.spans) {
        ensure(span.site < timeline.sites.size(), "a span has a site");
        ensure(span.duration.count >= 0, "a span does not end before it begins");
        ensure(span.begin.count >= last, "spans are sorted by begin");
        last = span.begin.count;
        const auto [end, isNew] = ends.try_emplace({span.device, span.stream}, endOf(span));
        ensure(isNew || span.begin.count >= end->second, "spans of one stream do not overlap");
        end->second = endOf(span);
    }
}

} // namespace weft
