// SPDX-License-Identifier: Apache-2.0
#include "events/recorder.h"

#include "events/log.h"
#include "events/log_text.h"
#include <weft/error.h>

#include <algorithm>
#include <map>

namespace weft {

SpanRecorder::SpanRecorder(EventLog& log, EventChannel& channel, DeviceId device,
                           std::span<const TimedSite> sites)
    : channel_(channel),
      spacing_(log.spacing()),
      device_(static_cast<std::uint16_t>(device.value)) {
    log.expectSpansOf(device);
    std::map<NameIndex, std::uint32_t> sums;
    for (const TimedSite& timed : sites) {
        Site made{internSpan(log, device, timed.site, sums),
                  static_cast<std::uint16_t>(timed.stream),
                  {}};
        if (timed.site.kind == SpanKind::communicate) {
            SpanSite waits = timed.site;
            waits.kind = SpanKind::wait;
            waits.bytes = {};
            made.wait = internSpan(log, device, waits, sums);
        }
        sites_.push_back(made);
    }
    summedSince_ = channel_.now();
}

SpanRecorder::InternedSpan SpanRecorder::internSpan(EventLog& log, DeviceId device,
                                                    const SpanSite& site,
                                                    std::map<NameIndex, std::uint32_t>& sums) {
    if (site.kind == SpanKind::repeat || site.kind == SpanKind::feed) {
        return {log.intern(siteText(site)), site.kind, {}};
    }
    // The sum is named by layer, pass and kind; with the device as the unit of the name, every
    // worker has sums of its own.
    const SpanSite whole{
        .origin = site.origin, .pass = site.pass, .kind = site.kind, .layer = site.layer};
    const NameIndex sumName = log.intern(siteText(whole), std::to_string(device.value));
    const auto [sum, isNew] = sums.try_emplace(sumName, static_cast<std::uint32_t>(sums_.size()));
    if (isNew) {
        sums_.push_back({sumName});
    }
    return {log.intern(siteText(site)), site.kind, sum->second};
}

std::vector<NameIndex> SpanRecorder::names() const {
    std::vector<NameIndex> names;
    names.reserve(sites_.size());
    for (const Site& site : sites_) {
        names.push_back(site.span.name);
    }
    return names;
}

template <class Take>
void SpanRecorder::split(const Site& site, const SpanTime& time, const Take& take) {
    const std::int64_t met =
        site.wait ? std::clamp(time.met, time.begin, std::max(time.begin, time.end)) : time.begin;
    if (met > time.begin) {
        take(*site.wait, Interval{time.begin, met});
    }
    if (time.end > met) {
        take(site.span, Interval{met, time.end});
    }
}

void SpanRecorder::record(std::int64_t step, std::span<const SpanTime> times) {
    ensure(times.size() == sites_.size(), "a recorder receives a time for each of its sites");
    std::size_t ran = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        split(sites_[i], times[i], [&](const InternedSpan& span, const Interval& interval) {
            if (span.sum) {
                sums_[*span.sum].nanoseconds += interval.length();
            }
            ++ran;
        });
    }
    ++stepsSummed_;
    const std::int64_t now = channel_.now();
    constexpr std::int64_t second = 1'000'000'000;
    if (now - summedSince_ >= second) {
        flush();
    }
    if (!spacing_.wants(step, now, eventSize * (ran + 1)) || !channel_.beginSpans(step, ran)) {
        return;
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::uint16_t stream = sites_[i].stream;
        split(sites_[i], times[i], [&](const InternedSpan& span, const Interval& interval) {
            channel_.span(span.name, span.kind, interval.begin, interval.end, device_, stream);
        });
    }
    channel_.endSpans();
}

void SpanRecorder::flush() {
    for (Sum& sum : sums_) {
        if (sum.nanoseconds > 0) {
            channel_.profile(sum.name, stepsSummed_, {sum.nanoseconds});
        }
        sum.nanoseconds = 0;
    }
    stepsSummed_ = 0;
    summedSince_ = channel_.now();
}

} // namespace weft
